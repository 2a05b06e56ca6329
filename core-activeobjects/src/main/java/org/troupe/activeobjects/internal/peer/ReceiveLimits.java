package org.troupe.activeobjects.internal.peer;

/**
 * How much a node keeps for peers beyond what it has asked for.
 *
 * @param earlyBytes frames of one peer that wait for an earlier one; others have to be sent again
 * @param definitionBytes names of methods and types that one peer has defined, which are kept
 * @param peers nodes that others have named, members or not
 * @param strangers of these, nodes that have greeted and are no members
 * @param ignored senders that have not greeted, and are to send again when they do
 */
public record ReceiveLimits(
    long earlyBytes, long definitionBytes, int peers, int strangers, int ignored) {

  private static final int SHARE = 16;
  private static final long LEAST_EARLY_BYTES = 1L << 20;
  private static final long LEAST_DEFINITION_BYTES = 4L << 20;

  /** What there is for a node that is known by name only; its connection would cost far more. */
  private static final int BYTES_PER_PEER = 4096;

  private static final int LEAST_PEERS = 4096;
  private static final int MOST_STRANGERS = 4096;
  private static final int MOST_IGNORED = 4096;

  /** Those for a JVM with so much memory for objects. */
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
