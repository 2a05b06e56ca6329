package org.troupe.activeobjects.store;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The records of one journal that were appended and are not in its store yet, in order. For stores
 * that write many records at a time. Not thread-safe: the journal that has it guards it.
 */
public final class RecordBuffer {

  private static final int MOST_BYTES = 1 << 20;

  private final Deque<Unwritten> records = new ArrayDeque<>();
  private long bytes;
  private long last;

  /** A record that is not in the store yet. */
  public record Unwritten(long number, byte[] content) {}

  /**
   * Creates an empty buffer.
   *
   * @param last the number of the last record that the store has
   */
  public RecordBuffer(long last) {
    this.last = last;
  }

  /** Returns the content of a record, copied from its parts, for {@link #add}. */
  public static byte[] content(ByteBuffer... parts) {
    var content = new byte[Journal.requireLength(parts)];
    var all = ByteBuffer.wrap(content);
    for (var part : parts) {
      all.put(part.duplicate());
    }
    return content;
  }

  /** Adds a record, and returns its number. */
  public long add(byte[] content) {
    records.add(new Unwritten(++last, content));
    bytes += content.length;
    return last;
  }

  /** Returns the number of the last record that was added, or that the store had at first. */
  public long last() {
    return last;
  }

  /** Returns whether all records are in the store. */
  public boolean isEmpty() {
    return records.isEmpty();
  }

  /** Returns whether so many bytes wait that they are to be written before more are added. */
  public boolean isFull() {
    return bytes > MOST_BYTES;
  }

  /**
   * Returns the oldest records up to a number, as many as are to be written together. All but the
   * last take at most 1 MiB.
   */
  public List<Unwritten> oldest(long upTo) {
    List<Unwritten> oldest = new ArrayList<>();
    var taken = 0L;
    for (var each : records) {
      if (each.number() > upTo || taken > MOST_BYTES) {
        break;
      }
      oldest.add(each);
      taken += each.content().length;
    }
    return oldest;
  }

  /** Forgets the records up to a number, which are in the store, or whose effect an image has. */
  public void forget(long upTo) {
    while (!records.isEmpty() && records.getFirst().number() <= upTo) {
      bytes -= records.removeFirst().content().length;
    }
  }
}
