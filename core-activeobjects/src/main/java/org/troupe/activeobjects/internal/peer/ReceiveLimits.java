package org.troupe.activeobjects.internal.peer;

/**
 * Limits on the memory that a node keeps for unsolicited data of its peers.
 *
 * @param earlyBytes the bytes of frames of one peer that wait for an earlier frame; further ones
 *     are dropped and retransmitted
 * @param definitionBytes the bytes of names of methods and types that one peer has defined
 * @param peers the number of nodes that others have named, members or not
 * @param strangers the number of nodes that have greeted and are not members
 * @param ignored the number of senders that have not greeted, and retransmit when they do
 */
public record ReceiveLimits(
    long earlyBytes, long definitionBytes, int peers, int strangers, int ignored) {

  private static final int SHARE = 16;
  private static final long LEAST_EARLY_BYTES = 1L << 20;
  private static final long LEAST_DEFINITION_BYTES = 4L << 20;

  /** The memory of a node that is known by name only; its connection would cost far more. */
  private static final int BYTES_PER_PEER = 4096;

  private static final int LEAST_PEERS = 4096;
  private static final int MOST_STRANGERS = 4096;
  private static final int MOST_IGNORED = 4096;

  /** Returns the limits for a JVM with a given maximum heap size. */
  public static ReceiveLimits ofHeap(long bytes) {
    var share = bytes / SHARE;
    return new ReceiveLimits(
        Math.max(LEAST_EARLY_BYTES, share),
        Math.max(LEAST_DEFINITION_BYTES, share),
        Math.clamp(share / BYTES_PER_PEER, LEAST_PEERS, Integer.MAX_VALUE),
        MOST_STRANGERS,
        MOST_IGNORED);
  }
}
