package org.troupe.em3d.mesh;

import java.util.Arrays;

/** A growing list of unboxed integers, for data as long as the mesh. */
final class IntList {

  private int[] values = new int[64];
  private int size;

  /** Reserves space for this many more numbers. */
  void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > values.length) {
      values = Arrays.copyOf(values, needed);
    }
  }

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, (int) Math.min(Integer.MAX_VALUE - 8, 2L * size));
    }
    values[size++] = value;
  }

  int get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }

  /** Returns the numbers, possibly without a copy; the list must not be used afterwards. */
  int[] toArray() {
    return size == values.length ? values : Arrays.copyOf(values, size);
  }
}
