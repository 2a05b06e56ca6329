package org.troupe.activeobjects.internal.capacity;

import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.CallMethod;

/**
 * The capacity that a call needs of one queue.
 *
 * @param method the method called
 * @param bound the number of places for calls of this node; 0 if the queue has no bound
 * @param places the number of places that the call takes; 0 if it only has to keep its order
 * @param needsMemory whether it waits while the object is behind and its node has a backlog
 * @param isRefused whether the call is refused, rather than wait, if it has no place
 */
public record CapacityNeed(
    CallQueue queue,
    CallMethod method,
    int bound,
    int places,
    boolean needsMemory,
    boolean isRefused) {

  /**
   * Returns the need of a call that does not bypass the queue.
   *
   * @param bound the bound that a reference states
   */
  public static CapacityNeed of(
      CallQueue queue, CallMethod method, int bound, boolean isBacklogged) {
    var isControl = method.isOfBody();
    var places = bound == 0 || isControl ? 0 : 1;
    var needsMemory = isBacklogged && !isControl && !ServiceContext.isExemptFromMemory();
    return new CapacityNeed(
        queue, method, Math.abs(bound), places, needsMemory, bound < 0 && places > 0);
  }

  /**
   * Returns the need of a call that only has to keep its order.
   *
   * @param bound the bound that a reference states
   */
  public static CapacityNeed ofOrder(CallQueue queue, CallMethod method, int bound) {
    return new CapacityNeed(queue, method, Math.abs(bound), 0, false, false);
  }

  /** Returns the need of a call that waits, as the queue may have accepted it before. */
  public CapacityNeed again() {
    return new CapacityNeed(queue, method, bound, places, needsMemory, false);
  }

  /** Returns the common need of two calls to one queue. */
  public CapacityNeed plus(CapacityNeed other) {
    return new CapacityNeed(
        queue,
        method,
        bound,
        places + other.places,
        needsMemory || other.needsMemory,
        isRefused || other.isRefused);
  }
}
