package org.troupe.replicas;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.WaitInterruptedException;

/** Drives the order of one replica: sends its messages, and applies the changes in their turn. */
final class OrderDriver {

  /*
   * Design: threads
   *
   * "order" is under "lock", which is never held during user code, encoding or a call. One thread at a time takes
   * turns at the object ("isTurn"), to apply a change or to copy the state for a newcomer: the thread that has made it
   * possible, the caller of a write or the serving thread of the member. The serving thread must answer others, so it
   * waits for no reader of the object: a virtual thread takes the turn in its place. So it does if writes take long, and
   * the caller of one waits for its number. One thread at a time sends
   * the messages of the order ("isSending"), so messages to a member keep their order, and those that
   * gather meanwhile become one call. All input from outside comes by the serving thread, also losses, but for the
   * number of a write, which its caller gets from the sequencer in a call: one thread there and none here is woken.
   *
   * Design: two ends
   *
   * Calls are refused ("refusal") from the moment at which the object is closed here. The member ends later, when the
   * object is closed on all nodes, or at once if it has failed or its node ends.
   */

  private static final System.Logger LOG = System.getLogger(OrderDriver.class.getName());

  /** Starting a thread costs less than that. */
  private static final long LONG_WRITE_NANOS = 50_000;

  /** How a write ended. */
  sealed interface Result {
    record Value(@Nullable Object value) implements Result {}

    record Failure(Throwable cause) implements Result {}
  }

  /**
   * The next action on the object.
   *
   * @param change is to be applied; {@code null} if the prepared view is to be installed
   */
  private record Turn(long number, @Nullable Change change, boolean isOwn) {}

  private final ReplicaMember self;
  private final WriteOrder order;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, CompletableFuture<Result>> waiting = new HashMap<>();
  private final CompletableFuture<ReplicaMember.Joined> joined = new CompletableFuture<>();
  private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
  private long writes; // made here
  private volatile long nanosOfWrite; // of the last one
  private boolean isTurn;
  private boolean isSending;
  private boolean hasEnded;
  private volatile @Nullable String refusal; // of calls; written under the lock
  private volatile @Nullable Replica replica; // written under the lock, when the state is here

  private OrderDriver(ReplicaMember self, WriteOrder order) {
    this.self = self;
    this.order = order;
    order.locate(self, clusterOf(self));
  }

  /** Returns the name of a member's cluster; empty if its node is not known here. */
  private static String clusterOf(ReplicaMember member) {
    return Collectives.current().nodeOf(ActiveObjects.ref(member)).map(Node::cluster).orElse("");
  }

  /** Begins the order of a new object. */
  static OrderDriver ofFirst(ReplicaMember self, Object object) {
    var driver = new OrderDriver(self, WriteOrder.ofFirst(self));
    driver.replicate(self, object);
    return driver;
  }

  /** Joins the order of an object; {@link #joined} completes when the replica is there. */
  static OrderDriver ofNewcomer(ReplicaMember self, List<ReplicaMember> members) {
    var driver = new OrderDriver(self, WriteOrder.ofNewcomer(self, members));
    driver.received();
    return driver;
  }

  /** Returns whether the object has ended on all nodes, and this member with it. */
  boolean isOver() {
    lock.lock();
    try {
      return hasEnded && order.isOver();
    } finally {
      lock.unlock();
    }
  }

  CompletableFuture<ReplicaMember.Joined> joined() {
    return joined;
  }

  private void replicate(ReplicaMember identity, Object object) {
    var made = new Replica(identity, object, this);
    lock.lock();
    try {
      replica = made;
    } finally {
      lock.unlock();
    }
    made.publish();
    joined.complete(ReplicaMember.Joined.WITH_REPLICA);
  }

  // On the member's thread.

  /** Numbers a write of another member. */
  OrderMessage.@Nullable Numbered number(OrderMessage.Proposal proposal) {
    OrderMessage.Numbered answer;
    lock.lock();
    try {
      answer = hasEnded ? null : order.number(proposal);
    } finally {
      lock.unlock();
    }
    guard(
        () -> {
          if (nanosOfWrite > LONG_WRITE_NANOS) {
            send();
            later(() -> proceed(true));
          } else {
            proceed(false);
          }
        });
    return answer;
  }

  void receive(List<OrderMessage> messages) {
    guard(
        () -> {
          messages.forEach(this::receive);
          received();
        });
  }

  private void receive(OrderMessage message) {
    boolean isStateHere;
    lock.lock();
    try {
      if (hasEnded) {
        return;
      }
      order.receive(message);
      if (message instanceof OrderMessage.Refused(String why)) {
        throw new IllegalStateException(why);
      }
      isStateHere = order.hasState() && replica == null;
    } finally {
      lock.unlock();
    }
    if (isStateHere && message instanceof OrderMessage.Install install && install.state() != null) {
      replicate(install.state().identity(), install.state().object());
    }
    var known = replica;
    if (message instanceof OrderMessage.Hashes hashes && known != null) {
      known.check().compare(hashes);
    }
  }

  private void received() {
    List<ReplicaMember> met;
    boolean isOrphan;
    lock.lock();
    try {
      met = List.copyOf(order.met);
      order.met.clear();
      isOrphan = order.isOrphan();
    } finally {
      lock.unlock();
    }
    for (var member : met) {
      locate(member);
      ActiveObjects.ref(member)
          .end()
          .thenAccept(end -> post(self, List.of(new OrderMessage.Lost(member))));
    }
    if (isOrphan) {
      joined.complete(ReplicaMember.Joined.WITHOUT_OTHERS);
      end("all replicas are lost");
    }
    proceed(false);
  }

  private void locate(ReplicaMember member) {
    var cluster = clusterOf(member);
    lock.lock();
    try {
      order.locate(member, cluster);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the object.
   *
   * @return completes when the object is closed on all nodes with {@code true}, or, if this member
   *     ends before, with {@code false}
   */
  CompletableFuture<Boolean> close() {
    act(order::close);
    return closed;
  }

  /** Changes the order, and does what follows from it. */
  private void act(Runnable change) {
    guard(
        () -> {
          lock.lock();
          try {
            change.run();
          } finally {
            lock.unlock();
          }
          proceed(false);
        });
  }

  /** Runs work after whose failure a message or a change would be missing. */
  private void guard(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error failure) {
      fail(failure);
    }
  }

  /** Leaves the other members. */
  private void fail(Throwable cause) {
    if (replica != null && refusal == null) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the "
              + replica
              + " leaves the others, as it cannot follow them; calls of it fail from now on",
          cause);
    }
    end("the replica of this node has failed: " + cause);
    joined.completeExceptionally(cause);
    ActiveObjects.ref(self).terminateNow();
  }

  /** Ends this member's part. */
  void end(String why) {
    boolean isOver;
    lock.lock();
    try {
      hasEnded = true;
      isOver = order.isOver();
    } finally {
      lock.unlock();
    }
    refuseCalls(why);
    closed.complete(isOver);
  }

  /** Refuses calls from now on, also the writes under way. */
  private void refuseCalls(String why) {
    List<CompletableFuture<Result>> abandoned;
    lock.lock();
    try {
      if (refusal != null) {
        return;
      }
      refusal = why;
      abandoned = List.copyOf(waiting.values());
      waiting.clear();
    } finally {
      lock.unlock();
    }
    var known = replica;
    if (known != null) {
      known.end(why);
    }
    for (var each : abandoned) {
      each.complete(new Result.Failure(new IllegalStateException(why)));
    }
  }

  // On any thread.

  /** Has a write applied by all replicas; waits until it is applied here. */
  @Nullable Object write(int method, @Nullable Object[] arguments) throws Throwable {
    var result = new CompletableFuture<Result>();
    WriteOrder.Question question;
    lock.lock();
    try {
      if (refusal != null) {
        throw new IllegalStateException(refusal);
      }
      var count = ++writes;
      waiting.put(count, result);
      question = order.propose(count, method, arguments);
    } finally {
      lock.unlock();
    }
    guard(
        () -> {
          proceed(true);
          if (question != null) {
            ask(question);
            proceed(true);
          }
        });
    return switch (result.join()) {
      case Result.Value(Object value) -> value;
      case Result.Failure(Throwable cause) -> throw cause;
    };
  }

  /**
   * Asks the sequencer for the number of a write. If there is no answer, the next view brings one.
   */
  private void ask(WriteOrder.Question question) {
    var isInterrupted = Thread.interrupted();
    try {
      var numbered = question.sequencer().number(question.proposal());
      if (numbered != null) {
        receive(numbered);
      }
    } catch (WaitInterruptedException e) {
      isInterrupted = true;
      lock.lock();
      try {
        order.renew(question);
      } finally {
        lock.unlock();
      }
    } catch (NodeLostException | ObjectTerminatedException e) {
      // The end of the sequencer is reported to this member, too.
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Sends all messages and takes all turns that are due. */
  private void proceed(boolean mayWait) {
    send();
    while (true) {
      var turn = next();
      var known = replica;
      if (turn == null || known == null) {
        endIfOver();
        return;
      }
      if (turn.change() == null) {
        install(known);
      } else if (!take(turn, known, mayWait)) {
        later(
            () -> {
              take(turn, known, true);
              proceed(true);
            });
        return;
      }
      send();
    }
  }

  /** Ends this member when the object has ended on all nodes, and all messages are sent. */
  private void endIfOver() {
    lock.lock();
    try {
      if (hasEnded || !order.isOver() || isSending || !order.out.isEmpty()) {
        return;
      }
      hasEnded = true;
    } finally {
      lock.unlock();
    }
    joined.complete(ReplicaMember.Joined.TOO_LATE);
    end("the replicated object was closed");
    if (replica != null && self.equals(replica.identity())) {
      post(self, List.of(new OrderMessage.Closed())); // it stays as the name of the object
    } else {
      ActiveObjects.ref(self).terminate();
    }
  }

  /** Runs work that waits for readers, or takes long, on a thread of its own. */
  private void later(Runnable work) {
    Thread.startVirtualThread(Collectives.current().inName(() -> guard(work)));
  }

  private @Nullable Turn next() {
    lock.lock();
    try {
      settleLost();
      if (isTurn || replica == null || hasEnded) {
        return null;
      }
      var isInstallDue = order.isInstallDue();
      var change = isInstallDue ? null : order.next();
      isTurn = isInstallDue || change != null;
      var isOwn = change instanceof Change.Write write && write.origin() == order.me();
      return isTurn ? new Turn(order.applied() + 1, change, isOwn) : null;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the writes that are lost. Called under the lock. */
  private void settleLost() {
    for (var count : order.lost) {
      var result = waiting.remove(count);
      if (result != null) {
        result.complete(new Result.Failure(new WriteLostException(String.valueOf(replica))));
      }
    }
    order.lost.clear();
  }

  private void install(Replica known) {
    boolean needsState;
    lock.lock();
    try {
      needsState = order.needsState();
    } finally {
      lock.unlock();
    }
    Object copy = null;
    RuntimeException failure = null;
    try {
      copy = needsState ? known.copy() : null;
    } catch (RuntimeException e) {
      failure = e;
    }
    lock.lock();
    try {
      isTurn = false;
      if (failure != null) {
        order.refuse("the state of the " + known + " cannot travel: " + failure.getMessage());
      }
      if (order.isInstallDue()) {
        order.install(
            copy == null ? null : new OrderMessage.State(known.identity(), order.applied(), copy));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Applies a change; returns whether it is done, or would have to wait. */
  private boolean take(Turn turn, Replica known, boolean mayWait) {
    Result result = null;
    if (turn.change() instanceof Change.Write write) {
      var began = System.nanoTime();
      result = known.apply(write, turn.isOwn(), mayWait);
      nanosOfWrite = System.nanoTime() - began;
      if (result == null) {
        return false;
      }
      known.checked(turn.number(), write).ifPresent(due -> report(due, known));
    } else if (turn.change() instanceof Change.Close) {
      refuseCalls(
          "the replicated "
              + known.typeName()
              + " was closed by a call of Replicated.close; create it anew if it is still needed");
    }
    CompletableFuture<Result> caller = null;
    lock.lock();
    try {
      order.advance();
      isTurn = false;
      if (turn.isOwn() && turn.change() instanceof Change.Write write) {
        caller = waiting.remove(write.count());
      }
    } finally {
      lock.unlock();
    }
    if (caller != null) {
      caller.complete(result);
    }
    return true;
  }

  private void report(OrderMessage.Hashes hashes, Replica known) {
    boolean isSent;
    lock.lock();
    try {
      isSent = order.report(hashes);
    } finally {
      lock.unlock();
    }
    if (!isSent) {
      known.check().compare(hashes);
    }
  }

  /** Sends the messages that the order has put out. */
  private void send() {
    while (true) {
      Map<ReplicaMember, List<OrderMessage>> taken = new LinkedHashMap<>();
      lock.lock();
      try {
        if (isSending || order.out.isEmpty()) {
          return;
        }
        isSending = true;
        for (var envelope : order.out) {
          taken.computeIfAbsent(envelope.to(), each -> new ArrayList<>()).add(envelope.message());
        }
        order.out.clear();
      } finally {
        lock.unlock();
      }
      try {
        taken.forEach(OrderDriver::post);
      } finally {
        lock.lock();
        isSending = false;
        lock.unlock();
      }
    }
  }

  private static boolean hasState(OrderMessage message) {
    return message instanceof OrderMessage.Install install && install.state() != null;
  }

  /** Lets a newcomer give up that could not read its state. */
  private static @Nullable Void refused(ReplicaMember newcomer, Throwable failure) {
    post(newcomer, List.of(new OrderMessage.Refused("the state has not arrived: " + failure)));
    return null;
  }

  private static void post(ReplicaMember member, List<OrderMessage> messages) {
    var isInterrupted = false;
    while (true) {
      isInterrupted |= Thread.interrupted();
      try {
        if (messages.stream().anyMatch(OrderDriver::hasState)) {
          ActiveObjects.ref(member)
              .tell(to -> to.receive(messages))
              .exceptionally(failure -> refused(member, failure));
        } else {
          member.receive(messages);
        }
        break;
      } catch (WaitInterruptedException e) {
        isInterrupted = true; // the call waited to be sent
      } catch (NodeLostException | ObjectTerminatedException e) {
        break; // the end of the member is reported to this one, too
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
