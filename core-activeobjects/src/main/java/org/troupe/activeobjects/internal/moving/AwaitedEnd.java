package org.troupe.activeobjects.internal.moving;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/**
 * The callers of one node that wait for the end of an object that has moved, and the nodes that
 * this one has asked for it. Each node is asked once, however many callers wait, and however often
 * the object goes there: it answers as soon as it learns of the end, also when the object has gone
 * on. Thread-safe.
 */
final class AwaitedEnd {

  private final Set<NodeId> asked = new HashSet<>(); // guarded by this
  private final Set<Waiter> waiting = new LinkedHashSet<>(); // guarded by this

  /** The end for one caller, which may give up. */
  private final class Waiter extends FutureResult<End> {
    private final Runnable whenMadeAgain;

    Waiter(FutureRuntime runtime, Runnable whenMadeAgain) {
      super(runtime);
      this.whenMadeAgain = whenMadeAgain;
    }

    @Override
    protected void abandoned() {
      synchronized (AwaitedEnd.this) {
        waiting.remove(this);
      }
    }
  }

  /**
   * Returns the end for a caller.
   *
   * @param whenMadeAgain is run each time the object has been made again after a loss
   */
  FutureResult<End> await(FutureRuntime runtime, Runnable whenMadeAgain) {
    var waiter = new Waiter(runtime, whenMadeAgain);
    synchronized (this) {
      waiting.add(waiter);
    }
    return waiter;
  }

  /** Returns whether a node does not owe an answer, and records that it is asked. */
  synchronized boolean asks(NodeId host) {
    return asked.add(host);
  }

  /** Returns whether a node owes an answer. */
  synchronized boolean isAsked(NodeId host) {
    return asked.contains(host);
  }

  /** Records that a node has answered or is lost; before its answer is passed on. */
  synchronized void answered(NodeId host) {
    asked.remove(host);
  }

  /** Passes the end to all callers that wait. */
  void settle(End end) {
    List<Waiter> told;
    synchronized (this) {
      told = List.copyOf(waiting);
      waiting.clear();
    }
    told.forEach(each -> each.settle(new Outcome.Success<>(end)));
  }

  /** Runs what the callers have to do after the object was lost and made again. */
  void madeAgain() {
    List<Waiter> told;
    synchronized (this) {
      told = List.copyOf(waiting);
    }
    told.forEach(each -> each.whenMadeAgain.run());
  }
}
