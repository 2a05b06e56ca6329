package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * The request that a body serves at one moment, as another thread sees it.
 *
 * @param request the request that is served
 * @param sinceNanos when the service began, or somewhat earlier, in the time of {@link
 *     System#nanoTime}; 0 if unknown
 * @param waitingNanos when it began to wait, if it does, or somewhat earlier; 0 if unknown
 * @param more how many further requests are served concurrently
 * @param waiter the thread that waits; {@code null} if it is not known
 * @param crowdedLink the node for whose link it waits to send; {@code null} if for none
 */
public record RequestInService(
    CallRequest request,
    long sinceNanos,
    long waitingNanos,
    int more,
    @Nullable Thread waiter,
    @Nullable NodeId crowdedLink) {

  /*
   * Design: when a service began
   *
   * No clock is read for this. A thread that serves a queue reads it for other reasons, at least after 16 requests; a
   * request that is served on the thread of a call lane has the time of the last heartbeat, and so has each wait. So the time since
   * then is an upper limit. Other threads read the fields without synchronization: their values were true at
   * some moment.
   */

  /** Returns the request that is served in a context; {@code null} if there is none. */
  static @Nullable RequestInService in(@Nullable ServiceContext context) {
    if (context == null) {
      return null;
    }
    var request = context.request;
    return request == null
        ? null
        : new RequestInService(
            request,
            context.beganNanos,
            context.waitingNanos,
            0,
            context.waiter,
            context.crowdedLink);
  }

  /**
   * Returns when it began to wait, or somewhat earlier; 0 if unknown. It did not do so before its
   * service began.
   */
  public long waitBeganNanos() {
    return waitingNanos == 0 || sinceNanos == 0 || waitingNanos - sinceNanos > 0
        ? waitingNanos
        : sinceNanos;
  }

  /** Returns the method that is served. */
  public String method() {
    return request.method.toString();
  }

  /**
   * Returns who has called: an object, by its class and identity, or else a node.
   *
   * @param body the body that serves
   */
  public String caller(Body body) {
    return request.callerName(body);
  }
}
