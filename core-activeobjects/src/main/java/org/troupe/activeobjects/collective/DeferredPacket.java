package org.troupe.activeobjects.collective;

/**
 * A packet to an extension on another node that is sent only if a later message needs it: before
 * the next message to that node. Until then the receiver may take its content from memory that both
 * nodes share. May be shared between threads.
 */
public interface DeferredPacket {

  /**
   * Defers the packet: it is sent before the next message to its node, unless it is no longer
   * needed then.
   *
   * @return the number of messages to that node which precede the packet; a receiver that takes the
   *     content from elsewhere must do so {@linkplain Collectives#runBehind behind} them
   */
  long defer();

  /** Sends the packet at once if it is deferred. */
  void sendNow();
}
