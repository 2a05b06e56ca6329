package org.troupe.activeobjects.internal.copies;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records, and perhaps an image, for the copy of a journal on another node. Travels.
 *
 * @param journal the name of the journal
 * @param birth distinguishes it from an earlier or later one of its name
 * @param epoch the epoch with which the sender has opened it
 * @param isWhole whether it replaces the copy; else the records extend it
 * @param upTo the last record whose effect the image contains, if it is whole
 * @param image the image, if it is whole and the journal has one; not copied
 * @param first the number of the first record
 * @param records the contents of the records; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying it would double its memory
public record CopyUpdate(
    String journal,
    long birth,
    long epoch,
    boolean isWhole,
    long upTo,
    byte @Nullable [] image,
    long first,
    List<byte[]> records) {

  /** Returns the number of the last record. */
  long last() {
    return first + records.size() - 1;
  }
}
