package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;

/**
 * The request that a body serves at one moment, as another thread sees it.
 *
 * @param method the method that is served
 * @param sinceNanos when the service began, or somewhat earlier, in the time of {@link
 *     System#nanoTime}; 0 if unknown
 * @param more how many further requests are served concurrently
 */
public record RequestInService(String method, long sinceNanos, int more) {

  /*
   * Design: when a service began
   *
   * No clock is read for this. A thread that serves a queue reads it for other reasons, at least after 16 requests; a
   * request that is served on the thread of a call lane has the time of the last heartbeat. So the time since
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
        : new RequestInService(request.method.toString(), context.beganNanos, 0);
  }
}
