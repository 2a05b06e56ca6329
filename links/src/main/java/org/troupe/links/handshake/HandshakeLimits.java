package org.troupe.links.handshake;

import java.time.Duration;

/**
 * The limits on the resources that unauthenticated peers can occupy.
 *
 * @param handshake the time limit of a handshake
 * @param unfinished the maximum number of pending handshakes, each of which holds a thread and a
 *     descriptor
 * @param turn the time during which a pending handshake is not evicted in favour of another
 */
public record HandshakeLimits(Duration handshake, int unfinished, Duration turn) {

  /*
   * A handshake takes well under a millisecond of processor time, so 128 of them complete in far less
   * than a turn even on a busy core: a thousand peers that start at once wait in the kernel's backlog,
   * and none is dropped. Peers that only hold connections open are evicted at 640 per second.
   */
  public static final HandshakeLimits DEFAULT =
      new HandshakeLimits(Duration.ofSeconds(10), 128, Duration.ofMillis(200));
}
