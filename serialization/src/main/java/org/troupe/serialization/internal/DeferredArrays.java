package org.troupe.serialization.internal;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.troupe.serialization.ByteOutput;

/** Large arrays that are copied once, from the graph into the final bytes of an encoding. */
final class DeferredArrays {

  private record Insert(Object array, PrimitiveArrayCodec codec, int at) {}

  private List<Insert> inserts = List.of(); // made when needed
  private long size;

  boolean isEmpty() {
    return inserts.isEmpty();
  }

  void add(Object array, PrimitiveArrayCodec codec, int at) {
    if (inserts.isEmpty()) {
      inserts = new ArrayList<>();
    }
    inserts.add(new Insert(array, codec, at));
    size += codec.byteSize(array);
  }

  /** Returns the output with the arrays in their places. */
  byte[] merge(ByteOutput out) {
    byte[] merged = new byte[Math.toIntExact(out.size() + size)];
    MemorySegment all = MemorySegment.ofArray(merged);
    int from = 0;
    int to = 0;
    for (Insert insert : inserts) {
      out.copyTo(merged, from, to, insert.at - from);
      to += insert.at - from;
      from = insert.at;
      insert.codec.copy(insert.array, all, to);
      to += (int) insert.codec.byteSize(insert.array);
    }
    out.copyTo(merged, from, to, out.size() - from);
    return merged;
  }
}
