package org.troupe.serialization.internal.coder;

import java.util.Arrays;

/** The ids of the types in one encoding, each once, in the order of their first objects. */
final class UsedTypes {

  private static final int[] NONE = {};

  private long[] met = new long[1];
  private int[] ids = new int[4];
  private int count;

  /** The id of the last object, as the next one is most often of the same class. */
  private int last = -1;

  void add(int id) {
    if (id == last) {
      return;
    }
    last = id;
    int word = id >>> 6;
    if (word >= met.length) {
      met = Arrays.copyOf(met, 2 * word);
    }
    if ((met[word] & 1L << id) != 0) {
      return;
    }
    met[word] |= 1L << id;
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, 2 * count);
    }
    ids[count++] = id;
  }

  /** Forgets all ids. */
  void reset() {
    Arrays.fill(met, 0);
    count = 0;
    last = -1;
  }

  int[] toArray() {
    return count == 0 ? NONE : Arrays.copyOf(ids, count);
  }
}
