package org.troupe.serialization.internal.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.internal.classes.CodecFailure;

/**
 * The large arrays of one encoding. They stay apart from the bytes, uncopied, or are copied once,
 * from the graph into the final bytes.
 */
public final class LargeArrays {

  private record Insert(Object array, NumberArray kind, int at) {}

  private final long maxBytes;
  private boolean writtenAtOnce;
  private @Nullable List<Object> apart; // null where they are inserted into the bytes
  private List<Insert> inserts = List.of(); // made when needed
  private long size;

  /**
   * Creates an empty set, of an encoding that writes even large arrays at once.
   *
   * @param maxBytes the limit on the bytes of an encoding with its arrays
   */
  public LargeArrays(long maxBytes) {
    this.maxBytes = maxBytes;
    this.writtenAtOnce = true;
  }

  /** Begins an encoding that sets arrays apart, or inserts them at its end. */
  public void begin(boolean setsApart) {
    writtenAtOnce = false;
    apart = setsApart ? new ArrayList<>(0) : null;
  }

  /** Forgets all arrays. */
  public void reset() {
    writtenAtOnce = true;
    apart = null;
    inserts = List.of();
    size = 0;
  }

  /** Returns whether arrays stay apart from the bytes. */
  public boolean areApart() {
    return apart != null;
  }

  /** Sets an array apart; returns its index. */
  public int setApart(Object array, NumberArray kind, ByteOutput out) {
    List<Object> all = Objects.requireNonNull(apart, "arrays may go apart here");
    count(array, kind, out);
    all.add(array);
    return all.size() - 1;
  }

  /** Defers an array until all other bytes are written; returns whether it is deferred. */
  public boolean insert(Object array, NumberArray kind, ByteOutput out) {
    if (writtenAtOnce || apart != null || !kind.isLarge(array)) {
      return false;
    }
    count(array, kind, out);
    if (inserts.isEmpty()) {
      inserts = new ArrayList<>();
    }
    inserts.add(new Insert(array, kind, out.size()));
    return true;
  }

  private void count(Object array, NumberArray kind, ByteOutput out) {
    size += kind.byteSize(array);
    if (size + out.size() > maxBytes) {
      throw new CodecFailure(
          "the encoded form needs more than %d bytes, which is the limit; send it in parts, or raise the limit"
              .formatted(maxBytes));
    }
  }

  /** Returns the arrays that stay apart. */
  public List<Object> apart() {
    return apart == null || apart.isEmpty() ? List.of() : Collections.unmodifiableList(apart);
  }

  /** Returns the output with the deferred arrays in their places. */
  public byte[] merge(ByteOutput out) {
    if (inserts.isEmpty()) {
      return out.toByteArray();
    }
    byte[] merged = new byte[Math.toIntExact(out.size() + size)];
    MemorySegment all = MemorySegment.ofArray(merged);
    int from = 0;
    int to = 0;
    for (Insert insert : inserts) {
      out.copyTo(merged, from, to, insert.at - from);
      to += insert.at - from;
      from = insert.at;
      insert.kind.copy(insert.array, all, to);
      to += (int) insert.kind.byteSize(insert.array);
    }
    out.copyTo(merged, from, to, out.size() - from);
    return merged;
  }
}
