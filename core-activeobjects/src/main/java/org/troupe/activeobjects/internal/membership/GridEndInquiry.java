package org.troupe.activeobjects.internal.membership;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.coordination.SilenceLimits;
import org.troupe.activeobjects.internal.object.Deadline;
import org.troupe.activeobjects.internal.service.ThreadedTask;

/** Finds out whether the nodes of the grid are about to end. Thread-safe. */
final class GridEndInquiry {

  /*
   * Design: the answer follows the loss
   *
   * A node that learns of the loss of another one cannot tell whether that one has failed, or has ended with the grid. The
   * coordinator can: it knows of the end of the grid before it ends the first node. So an answer to a question that was sent
   * after the loss is certain. The answer that the grid ends is kept. The answer that it goes on is not, since the next
   * failure may come from a later loss: each failure needs a question that is sent after it.
   *
   * Threads that wait at once share a question, as when a loss fails the calls of many objects. One question is under way at
   * a time. Those that ask meanwhile form a round: the first of them sends the next question, and all get its answer. A round
   * is closed before its question is sent, so its question follows all failures that it is asked for.
   *
   * The loss of the coordinator ends the grid, and ends the question, too. A coordinator that lives and does not answer is
   * given up after the time for which a node waits for one that is silent. The node is then cut off, so that its objects can be
   * made again elsewhere if the coordinator answers other nodes. Any other failure, such as a lack of memory, says nothing
   * of the grid, and the question is sent again within that time.
   *
   * A thread of its own asks, because a full link to the coordinator could block the asking one beyond the limit.
   */

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<CompletableFuture<Boolean>> question;
  private final BooleanSupplier hasCoordinator;
  private final SilenceLimits limits;
  private final Consumer<String> cutOff;
  private final ReentrantLock turn = new ReentrantLock(); // held while a question is under way
  private volatile Round next = new Round();
  private volatile boolean isKnown; // only ever set

  /** Those that share a question. */
  private static final class Round {
    final AtomicBoolean hasFirst = new AtomicBoolean();
    final CompletableFuture<Boolean> answer = new CompletableFuture<>();
  }

  /**
   * Creates the inquiry of one node.
   *
   * @param question asks the coordinator
   * @param hasCoordinator whether the node takes part in a grid, or tries to join one
   * @param cutOff ends the membership of the node, for a reason; is run once at most
   */
  GridEndInquiry(
      Supplier<CompletableFuture<Boolean>> question,
      BooleanSupplier hasCoordinator,
      SilenceLimits limits,
      Consumer<String> cutOff) {
    this.question = question;
    this.hasCoordinator = hasCoordinator;
    this.limits = limits;
    this.cutOff = cutOff;
  }

  /** Returns whether an earlier answer was that the grid ends. */
  boolean isKnown() {
    return isKnown;
  }

  /** Asks the coordinator, unless the grid is known to end; blocks for a bounded time. */
  boolean isEnding() {
    if (isKnown || !hasCoordinator.getAsBoolean()) {
      return isKnown;
    }
    var round = next;
    if (round.hasFirst.compareAndSet(false, true)) {
      askFor(round);
    }
    return round.answer.join();
  }

  private void askFor(Round round) {
    turn.lock();
    try {
      next = new Round(); // first: the question follows the failures of all that are in the round
      if (!isKnown && ask()) {
        isKnown = true;
      }
      round.answer.complete(isKnown);
    } catch (Throwable failure) { // the others must not wait forever, nor take it for an answer
      round.answer.completeExceptionally(failure);
    } finally {
      turn.unlock();
    }
  }

  private boolean ask() {
    try {
      return ThreadedTask.start(this::answer)
          .orTimeout(limits.coordinatorPatienceNanos(), TimeUnit.NANOSECONDS)
          .join();
    } catch (CompletionException failure) {
      try {
        cutOff.accept(
            "the coordinator has not answered for %d s"
                .formatted(limits.coordinatorPatienceSeconds()));
      } finally {
        isKnown = true; // the next round does not give it up again
      }
      return true;
    }
  }

  /** Returns the answer of the coordinator, or that it is lost. */
  private boolean answer() throws InterruptedException, TimeoutException {
    var patience = Deadline.in(limits.coordinatorPatienceNanos());
    while (patience.left() > 0) {
      try {
        return question.get().join();
      } catch (Throwable failure) { // also an Error, which may pass
        if (isLoss(failure) || !hasCoordinator.getAsBoolean()) {
          return true; // without a coordinator there is no grid
        }
        TimeUnit.NANOSECONDS.sleep(Math.min(limits.intervalNanos(), LONGEST_PAUSE_NANOS));
      }
    }
    throw new TimeoutException();
  }

  private static boolean isLoss(Throwable failure) {
    return failure instanceof NodeLostException
        || failure instanceof CompletionException
            && failure.getCause() instanceof NodeLostException;
  }
}
