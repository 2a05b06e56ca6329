package org.troupe.em3d.mesh;

import java.util.Arrays;

/** The vertices of a part, collected from blocks that share some of them. */
final class VertexTable {

  private static final int ABSENT = -1;

  private double[] coordinates = new double[3 * 64];
  private final IntList numbers = new IntList();
  private int[] slots = new int[256]; // indices of vertices, by the hash of their numbers

  VertexTable() {
    Arrays.fill(slots, ABSENT);
  }

  /**
   * Returns the index of the vertex with this number; adds it if it is new.
   *
   * @param place the place of its first coordinate
   */
  int index(int number, double[] source, int place) {
    int slot = slot(number);
    if (slots[slot] != ABSENT) {
      return slots[slot];
    }
    int added = numbers.size();
    numbers.add(number);
    if (coordinates.length < 3 * numbers.size()) {
      coordinates = Arrays.copyOf(coordinates, coordinates.length / 2 * 3);
    }
    System.arraycopy(source, place, coordinates, 3 * added, 3);
    slots[slot] = added;
    if (2 * numbers.size() > slots.length) {
      slots = new int[2 * slots.length];
      Arrays.fill(slots, ABSENT);
      for (int vertex = 0; vertex < numbers.size(); vertex++) {
        slots[slot(numbers.get(vertex))] = vertex;
      }
    }
    return added;
  }

  private int slot(int number) {
    int mask = slots.length - 1;
    int slot = (int) (number * 0x9e3779b97f4a7c15L >>> 33) & mask;
    while (slots[slot] != ABSENT && numbers.get(slots[slot]) != number) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** Returns {@code [3 * vertex + axis]}. */
  double[] coordinates() {
    return Arrays.copyOf(coordinates, 3 * numbers.size());
  }
}
