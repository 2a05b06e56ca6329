package org.troupe.deployment.watch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Points of the past of a node, the oldest first, in columns of primitives. Not thread-safe. */
final class VitalsColumns {

  private static final int INTS = 4;
  private static final int FLOATS = 6;

  /** How many bytes a point takes; the columns have room for half as many points more. */
  static final int BYTES = (2 * Long.BYTES + (INTS + FLOATS) * Integer.BYTES) * 3 / 2;

  private static final int FIRST_CAPACITY = 64;
  private static final int KIBI = 10; // bits: memory is kept in KiB

  private long[] numbers = new long[FIRST_CAPACITY];
  private long[] millis = new long[FIRST_CAPACITY];
  private int[] ints = new int[FIRST_CAPACITY * INTS];
  private float[] floats = new float[FIRST_CAPACITY * FLOATS];
  private int first;
  private int size;

  /**
   * A point: averages over a span of time.
   *
   * @param number greater than those of the points before
   * @param millis when it ends
   */
  record Point(
      long number,
      long millis,
      float spanSeconds,
      float cores,
      float collecting,
      long heapUsedBytes,
      long residentBytes,
      int queued,
      int waiting,
      float served,
      float failed,
      float bytesOut) {

    /** Returns the average with the next point. */
    Point with(Point next) {
      var span = spanSeconds + next.spanSeconds;
      var share = next.spanSeconds / span;
      return new Point(
          next.number,
          next.millis,
          span,
          mean(cores, next.cores, share),
          mean(collecting, next.collecting, share),
          (long) (heapUsedBytes + (double) share * (next.heapUsedBytes - heapUsedBytes)),
          (long) (residentBytes + (double) share * (next.residentBytes - residentBytes)),
          Math.round(mean(queued, next.queued, share)),
          Math.round(mean(waiting, next.waiting, share)),
          mean(served, next.served, share),
          mean(failed, next.failed, share),
          mean(bytesOut, next.bytesOut, share));
    }

    private static float mean(float one, float other, float share) {
      return one + share * (other - one);
    }
  }

  int size() {
    return size;
  }

  long oldestMillis() {
    return millis[first];
  }

  void add(Point point) {
    if (size == numbers.length) {
      grow();
    }
    var at = at(size++);
    numbers[at] = point.number();
    millis[at] = point.millis();
    var i = at * INTS;
    ints[i] = (int) Math.min(Integer.MAX_VALUE, point.heapUsedBytes() >> KIBI);
    ints[i + 1] = (int) Math.min(Integer.MAX_VALUE, point.residentBytes() >> KIBI);
    ints[i + 2] = point.queued();
    ints[i + 3] = point.waiting();
    var f = at * FLOATS;
    floats[f] = point.spanSeconds();
    floats[f + 1] = point.cores();
    floats[f + 2] = point.collecting();
    floats[f + 3] = point.served();
    floats[f + 4] = point.failed();
    floats[f + 5] = point.bytesOut();
  }

  Point removeOldest() {
    var oldest = get(first);
    first = (first + 1) % numbers.length;
    size--;
    return oldest;
  }

  private int at(int index) {
    return (first + index) % numbers.length;
  }

  private Point get(int at) {
    var i = at * INTS;
    var f = at * FLOATS;
    return new Point(
        numbers[at],
        millis[at],
        floats[f],
        floats[f + 1],
        floats[f + 2],
        (long) ints[i] << KIBI,
        (long) ints[i + 1] << KIBI,
        ints[i + 2],
        ints[i + 3],
        floats[f + 3],
        floats[f + 4],
        floats[f + 5]);
  }

  /** Makes room for half as many points more, and moves the oldest to the beginning. */
  private void grow() {
    var old = numbers.length;
    var capacity = old + old / 2;
    numbers = Arrays.copyOf(rotated(numbers, first), capacity);
    millis = Arrays.copyOf(rotated(millis, first), capacity);
    var movedInts = new int[capacity * INTS];
    var intsBehind = (old - first) * INTS;
    System.arraycopy(ints, first * INTS, movedInts, 0, intsBehind);
    System.arraycopy(ints, 0, movedInts, intsBehind, first * INTS);
    ints = movedInts;
    var movedFloats = new float[capacity * FLOATS];
    var floatsBehind = (old - first) * FLOATS;
    System.arraycopy(floats, first * FLOATS, movedFloats, 0, floatsBehind);
    System.arraycopy(floats, 0, movedFloats, floatsBehind, first * FLOATS);
    floats = movedFloats;
    first = 0;
  }

  private static long[] rotated(long[] all, int first) {
    var moved = new long[all.length];
    System.arraycopy(all, first, moved, 0, all.length - first);
    System.arraycopy(all, 0, moved, all.length - first, first);
    return moved;
  }

  /** Returns how many points have a number behind one, up to another. */
  int count(long behind, long upTo) {
    return Math.max(0, indexBehind(upTo) - indexBehind(behind));
  }

  /** Selects the points whose number is behind one, up to another. */
  void select(long behind, long upTo, Selection selection) {
    for (var i = indexBehind(behind); i < size && numbers[at(i)] <= upTo; i++) {
      selection.add(get(at(i)));
    }
  }

  /** Returns the index of the first point behind a number. */
  private int indexBehind(long number) {
    var low = 0;
    var high = size;
    while (low < high) {
      var middle = (low + high) >>> 1;
      if (numbers[at(middle)] <= number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The points of a node for a client. */
  static final class Selection {
    private final String node;
    private final List<Point> points = new ArrayList<>();

    Selection(String node) {
      this.node = node;
    }

    void add(Point point) {
      points.add(point);
    }

    boolean isEmpty() {
      return points.isEmpty();
    }

    WatchRecord.Vitals row() {
      return new WatchRecord.Vitals(
          node,
          points.stream().map(Point::millis).toList(),
          points.stream().map(Point::spanSeconds).toList(),
          points.stream().map(Point::cores).toList(),
          points.stream().map(Point::collecting).toList(),
          points.stream().map(Point::heapUsedBytes).toList(),
          points.stream().map(Point::residentBytes).toList(),
          points.stream().map(Point::queued).toList(),
          points.stream().map(Point::waiting).toList(),
          points.stream().map(Point::served).toList(),
          points.stream().map(Point::failed).toList(),
          points.stream().map(Point::bytesOut).toList());
    }
  }
}
