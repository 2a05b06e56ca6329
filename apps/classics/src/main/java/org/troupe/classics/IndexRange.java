package org.troupe.classics;

import org.troupe.groups.spmd.Spmd;

/**
 * A member's contiguous share of indices, for data that is not in an array yet; a {@code Slice}
 * divides an array.
 *
 * @param first the first index
 * @param count the number of indices
 */
public record IndexRange(int first, int count) {

  /** Returns the share of the member whose method is running. */
  public static IndexRange of(int all, Spmd<?> spmd) {
    return of(all, spmd.rank(), spmd.size());
  }

  /** Returns the share of a rank when the indices are divided as equally as possible. */
  public static IndexRange of(int all, int rank, int size) {
    var first = (int) ((long) all * rank / size);
    return new IndexRange(first, (int) ((long) all * (rank + 1) / size) - first);
  }

  /** Returns the index after the last one. */
  public int end() {
    return first + count;
  }
}
