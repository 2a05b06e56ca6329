package org.troupe.activeobjects.internal;

import org.troupe.futures.FutureResult;

/** The next free place in a queue that has none: settled when its object has taken a request. */
final class FullQueue extends FutureResult<Object> {

  private final QueueRooms.Queue queue;
  private final CallMethod method;
  private final int bound;
  private volatile int places; // that are needed at once

  /**
   * @param method of a call that went there
   * @param bound how many places the queue has
   */
  FullQueue(NodeRuntime node, QueueRooms.Queue queue, CallMethod method, int bound) {
    super(node);
    this.queue = queue;
    this.method = method;
    this.bound = bound;
  }

  void places(int needed) {
    places = needed;
  }

  int places() {
    return places;
  }

  QueueRooms.Queue queue() {
    return queue;
  }

  @Override
  public String describe() {
    return "room in the queue of a "
        + method.owner().name()
        + " on node '"
        + queue.nodeName()
        + (bound == 0 ? "'" : "', which has place for " + bound);
  }
}
