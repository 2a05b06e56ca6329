package org.troupe.em3d.mesh;

import java.util.ArrayList;
import java.util.List;

/**
 * Where in a file the elements of one kind stand: in runs of equal distance, so that a message can
 * name the place of each and nobody has to remember it.
 */
final class ElementPositions {

  /**
   * Elements from number {@code first} on.
   *
   * @param distance between two
   */
  private record Run(int first, long place, int distance) {

    long placeOf(int element) {
      return place + (long) (element - first) * distance;
    }
  }

  private final List<Run> runs = new ArrayList<>();

  /** The next element, with this number, stands here; the one behind it so much further. */
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
