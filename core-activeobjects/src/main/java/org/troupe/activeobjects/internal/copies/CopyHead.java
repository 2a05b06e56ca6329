package org.troupe.activeobjects.internal.copies;

/**
 * Describes a copy of a journal, so that the newest of several is known. Travels.
 *
 * @param epoch the highest epoch with which the journal was opened, as this copy knows
 * @param last the number of its last record
 */
public record CopyHead(long epoch, long last) implements Comparable<CopyHead> {

  @Override
  public int compareTo(CopyHead other) {
    return epoch == other.epoch ? Long.compare(last, other.last) : Long.compare(epoch, other.epoch);
  }
}
