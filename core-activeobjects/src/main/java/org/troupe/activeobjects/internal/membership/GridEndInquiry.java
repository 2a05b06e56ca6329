package org.troupe.activeobjects.internal.membership;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.internal.coordination.SilenceLimits;
import org.troupe.activeobjects.internal.service.ThreadedTask;

/** Finds out whether the nodes of the grid are about to end. Thread-safe. */
final class GridEndInquiry {

  /*
   * Design: the answer follows the loss
   *
   * A node that learns of the loss of another one cannot tell whether that one has failed, or has ended with the grid. The
   * coordinator can: it knows of the end of the grid before it ends the first node. So an answer that is requested after the
   * loss is certain. It is kept if the grid ends, and otherwise requested again after the next loss.
   *
   * The loss of the coordinator ends the grid, and ends the question, too. A coordinator that lives and does not answer is
   * given up after the time for which a node waits for one that is silent. The node is then cut off, so that its objects can be
   * made again elsewhere if the coordinator answers other nodes.
   *
   * A thread of its own asks, because a full link to the coordinator could block the asking one beyond the limit.
   */

  private final Supplier<CompletableFuture<Boolean>> question;
  private final BooleanSupplier hasCoordinator;
  private final SilenceLimits limits;
  private final Consumer<String> cutOff;
  private volatile boolean isKnown;

  /**
   * Creates the inquiry of one node.
   *
   * @param question asks the coordinator
   * @param hasCoordinator whether the node takes part in a grid, or tries to join one
   * @param cutOff ends the membership of the node, for a reason
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
    if (ask()) {
      isKnown = true; // only ever set: another thread may have an older answer
    }
    return isKnown;
  }

  private boolean ask() {
    try {
      return ThreadedTask.start(() -> question.get().join())
          .orTimeout(limits.coordinatorPatienceNanos(), TimeUnit.NANOSECONDS)
          .join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof TimeoutException) {
        cutOff.accept(
            "the coordinator has not answered for %d s"
                .formatted(limits.coordinatorPatienceSeconds()));
      }
      return true; // without a coordinator there is no grid
    }
  }
}
