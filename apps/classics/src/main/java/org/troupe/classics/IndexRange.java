package org.troupe.classics;

import org.troupe.groups.spmd.Spmd;

/**
 * A member's share of things that are numbered and in no array yet; of an array, a slice does this.
 *
 * @param first of its numbers
 */
public record IndexRange(int first, int count) {

  /** Returns that of the member whose method is running. */
  public static IndexRange of(int all, Spmd<?> spmd) {
    return of(all, spmd.rank(), spmd.size());
  }

  /** Returns that of a rank: the whole is cut as equally as possible. */
  public static IndexRange of(int all, int rank, int size) {
    var first = (int) ((long) all * rank / size);
    return new IndexRange(first, (int) ((long) all * (rank + 1) / size) - first);
  }

  /** Returns the first number that is not in it any more. */
  public int end() {
    return first + count;
  }
}
