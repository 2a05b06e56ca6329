package org.troupe.em3d.mesh;

import java.util.Arrays;

/** Integers without boxes, for what is as long as the mesh is large. */
final class IntList {

  private int[] values = new int[64];
  private int size;

  /** So many more will come. */
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

  /** All of them; the list must not grow any more. */
  int[] toArray() {
    return size == values.length ? values : Arrays.copyOf(values, size);
  }
}
