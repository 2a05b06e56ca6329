package org.troupe.activeobjects.internal.replay;

import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A set of numbers of calls, as ranges: a caller that is made again, or has moved, sends tens of
 * thousands of calls again, mostly with successive numbers. Not thread-safe.
 */
public final class CallNumberRanges {

  private final int most;
  private final TreeMap<Long, Long> ranges = new TreeMap<>(); // by their first numbers, the last

  /**
   * Creates an empty set.
   *
   * @param most how many ranges are kept; beyond that, the lowest one is forgotten
   */
  public CallNumberRanges(int most) {
    this.most = most;
  }

  /** Adds a number. */
  public void add(long number) {
    addRange(number, number);
  }

  /** Adds the numbers of a range. */
  public void addRange(long first, long last) {
    var before = ranges.floorEntry(first);
    var from = first;
    if (before != null && before.getValue() >= first - 1) {
      if (before.getValue() >= last) {
        return;
      }
      from = before.getKey();
    }
    var to = last;
    for (var next = ranges.ceilingEntry(first);
        next != null && next.getKey() <= last + 1;
        next = ranges.ceilingEntry(first)) {
      to = Math.max(to, next.getValue());
      ranges.remove(next.getKey());
    }
    ranges.put(from, to);
    if (ranges.size() > most) {
      ranges.pollFirstEntry();
    }
  }

  /** Removes a number; returns whether it was there. */
  public boolean remove(long number) {
    var range = ranges.floorEntry(number);
    if (range == null || range.getValue() < number) {
      return false;
    }
    ranges.remove(range.getKey());
    if (range.getKey() < number) {
      ranges.put(range.getKey(), number - 1);
    }
    if (number < range.getValue()) {
      ranges.put(number + 1, range.getValue());
    }
    if (ranges.size() > most) {
      ranges.pollFirstEntry();
    }
    return true;
  }

  /** Removes the numbers up to one. */
  public void removeUpTo(long last) {
    for (var range = ranges.firstEntry();
        range != null && range.getKey() <= last;
        range = ranges.firstEntry()) {
      ranges.pollFirstEntry();
      if (range.getValue() > last) {
        ranges.put(last + 1, range.getValue());
      }
    }
  }

  /** Removes all numbers. */
  public void clear() {
    ranges.clear();
  }

  /** Returns the numbers, as pairs of the first and the last of a range. */
  public long[] ranges() {
    return ranges.entrySet().stream()
        .flatMapToLong(each -> LongStream.of(each.getKey(), each.getValue()))
        .toArray();
  }

  /** Adds numbers from pairs of the first and the last of a range. */
  public void addRanges(long[] pairs) {
    for (var i = 0; i + 1 < pairs.length; i += 2) {
      addRange(pairs[i], pairs[i + 1]);
    }
  }
}
