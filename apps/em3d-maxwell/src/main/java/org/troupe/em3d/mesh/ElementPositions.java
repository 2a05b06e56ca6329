package org.troupe.em3d.mesh;

import java.util.ArrayList;
import java.util.List;

/**
 * The positions of a file's elements of one kind, for messages. They are compressed into runs of
 * equal distance.
 */
final class ElementPositions {

  /**
   * Elements from number {@code first} on.
   *
   * @param place the position of the first one
   * @param distance the distance of two positions
   */
  private record Run(int first, long place, int distance) {

    long placeOf(int element) {
      return place + (long) (element - first) * distance;
    }
  }

  private final List<Run> runs = new ArrayList<>();

  /**
   * Adds the position of the next element, which has this number, and the distance to the one after
   * it.
   */
  void add(int element, long place, int distance) {
    Run last = runs.isEmpty() ? null : runs.getLast();
    if (last == null || last.distance != distance || last.placeOf(element) != place) {
      runs.add(new Run(element, place, distance));
    }
  }

  long of(int element) {
    int low = 0;
    int high = runs.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (runs.get(middle).first <= element) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return runs.get(low).placeOf(element);
  }
}
