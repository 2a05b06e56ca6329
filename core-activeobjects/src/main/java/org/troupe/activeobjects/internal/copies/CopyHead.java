package org.troupe.activeobjects.internal.copies;

import org.troupe.activeobjects.NodeId;

/**
 * Describes a copy of a journal, so that the newest of several is known. Travels.
 *
 * @param birth distinguishes the journal from an earlier or later one of its name
 * @param epoch the highest epoch with which the journal was opened, as this copy knows
 * @param last the number of its last record
 * @param owner the node whose updates this copy accepts
 * @param isCopied whether this is the owner's copy, and another node has an equal one
 */
public record CopyHead(long birth, long epoch, long last, NodeId owner, boolean isCopied)
    implements Comparable<CopyHead> {

  /** Orders by epoch and length, and not by owners. */
  @Override
  public int compareTo(CopyHead other) {
    return epoch == other.epoch ? Long.compare(last, other.last) : Long.compare(epoch, other.epoch);
  }
}
