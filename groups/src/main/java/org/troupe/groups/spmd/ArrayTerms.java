package org.troupe.groups.spmd;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;

/** The numbers of all members that a reduction combines into a slice. Used by one thread. */
final class ArrayTerms {

  /*
   * A loop over native memory takes two to three times as long as one over arrays, so the numbers are
   * copied into arrays of the size of a first-level cache before they are combined.
   */

  private static final int STRETCH_BYTES = 8 << 10;

  private final Slice<?> slice;
  private final MemorySegment own;
  private final int elementBytes;
  private final int stretch;
  private final List<Object> arrays = new ArrayList<>(); // by depth in the sum
  private final List<MemorySegment> segments = new ArrayList<>(); // of the arrays
  private IntFunction<@Nullable MemorySegment> terms = rank -> null;
  private int start;

  ArrayTerms(Slice<?> slice) {
    this.slice = slice;
    own = SliceArrays.segment(slice);
    elementBytes = slice.length() == 0 ? 1 : (int) (SliceArrays.bytes(slice) / slice.length());
    stretch = Math.min(slice.length(), STRETCH_BYTES / elementBytes);
  }

  /**
   * Sets the numbers.
   *
   * @param by the memory of each member; {@code null} for those of the slice itself
   * @param first the index in the slice of the first number in these memories
   */
  void read(IntFunction<@Nullable MemorySegment> by, int first) {
    terms = by;
    start = first;
  }

  /**
   * Combines a range of the numbers into the slice.
   *
   * @param copy memory that gets the combined numbers as well, at the place of the terms
   */
  void combine(
      Operation by, ReductionOrder order, int from, int length, @Nullable MemorySegment copy) {
    var end = from + length;
    for (var at = from; at < end; ) {
      var count = Math.min(Math.min(stretch, end - at), order.endOfBlock(at, slice.length()) - at);
      sum(by, order.sumAt(at, slice.length()), at, count, 0);
      var bytes = (long) count * elementBytes;
      MemorySegment.copy(segments.get(0), 0, own, (long) at * elementBytes, bytes);
      if (copy != null) {
        MemorySegment.copy(segments.get(0), 0, copy, (long) (at - start) * elementBytes, bytes);
      }
      at += count;
    }
  }

  /** Computes a sum into the array of a depth. */
  private void sum(Operation by, ReductionOrder.Sum sum, int at, int count, int depth) {
    if (depth == arrays.size()) {
      var array = SliceArrays.newArray(slice, stretch);
      arrays.add(array);
      segments.add(SliceArrays.segment(SliceArrays.wrap(slice, array)));
    }
    switch (sum) {
      case ReductionOrder.Term(int rank) -> {
        var term = terms.apply(rank);
        var bytes = (long) count * elementBytes;
        if (term == null) {
          MemorySegment.copy(own, (long) at * elementBytes, segments.get(depth), 0, bytes);
        } else {
          MemorySegment.copy(
              term, (long) (at - start) * elementBytes, segments.get(depth), 0, bytes);
        }
      }
      case ReductionOrder.Pair(var one, var other) -> {
        sum(by, one, at, count, depth);
        sum(by, other, at, count, depth + 1);
        ArrayReduction.combine(by, arrays.get(depth), 0, arrays.get(depth + 1), 0, count);
      }
    }
  }
}
