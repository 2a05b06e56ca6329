package org.troupe.activeobjects.internal.capacity;

import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** The next free place in a full queue: settled when its object has taken a request. */
public final class QueueVacancy extends FutureResult<Object> {

  private static final Outcome<Object> GRANTED = new Outcome.Success<>("capacity");

  private final CallQueue queue;
  private final CallMethod method;
  private final int bound;
  private volatile int places; // the number needed at once

  /**
   * Creates the vacancy of a queue.
   *
   * @param method the method of a call that waits for the queue
   * @param bound the number of places of the queue
   */
  QueueVacancy(FutureRuntime waiting, CallQueue queue, CallMethod method, int bound) {
    super(waiting);
    this.queue = queue;
    this.method = method;
    this.bound = bound;
  }

  /** Reports that the object has taken a request. */
  void grant() {
    settle(GRANTED);
  }

  void places(int needed) {
    places = needed;
  }

  public int places() {
    return places;
  }

  public CallQueue queue() {
    return queue;
  }

  @Override
  public String describe() {
    return "room in the queue of "
        + IndefiniteArticle.before(method.owner().name())
        + " on node '"
        + queue.nodeName()
        + (bound == 0 ? "'" : "', which has place for " + bound);
  }
}
