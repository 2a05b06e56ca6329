package org.troupe.links.handshake;

import java.time.Duration;

/**
 * What strangers can cost a port at most.
 *
 * @param handshake the time a peer has for its whole handshake
 * @param unfinished how many handshakes may be unfinished at a time, each of which holds a thread
 *     and a descriptor
 * @param turn how long an unfinished handshake is safe from being dropped in favour of a newcomer
 */
public record HandshakeLimits(Duration handshake, int unfinished, Duration turn) {

  /*
   * A handshake costs well under a millisecond of processor time, so 128 at a time are through in
   * far less than a turn even on a busy core: a thousand peers that start at once wait in the
   * kernel's backlog and none is dropped. Strangers who only hold connections open still get
   * evicted at 640 per second.
   */
  public static final HandshakeLimits DEFAULT =
      new HandshakeLimits(Duration.ofSeconds(10), 128, Duration.ofMillis(200));
}
