package org.troupe.classics.radix;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What all versions do with keys, any whole numbers, to sort them by their three digits.
 *
 * <p>By the first digit they come into buckets, small enough for a processor's nearest cache; each
 * of those is sorted by the last digit and then by the middle one, where equal ones keep their
 * order.
 *
 * @see "D. E. Knuth, The Art of Computer Programming, vol. 3, section 5.2.5"
 */
final class Keys {

  static final int BUCKETS = 1 << 10;

  private static final int FIRST_SHIFT = 22;
  private static final int MIDDLE_SHIFT = 11;
  private static final int DIGITS = 1 << MIDDLE_SHIFT;

  private Keys() {}

  /** Returns a stretch of a sequence of random keys, the same whoever asks. */
  static int[] random(int first, int count) {
    var keys = new int[count];
    Arrays.setAll(keys, i -> new SplittableRandom(first + i).nextInt());
    return keys;
  }

  private static int bucket(int key) {
    return key >>> FIRST_SHIFT ^ BUCKETS / 2; // the first bit is the sign: negative ones come first
  }

  private static int middle(int key) {
    return key >>> MIDDLE_SHIFT & DIGITS - 1;
  }

  private static int last(int key) {
    return key & DIGITS - 1;
  }

  /** Returns how many keys belong into each bucket. */
  static int[] count(int[] keys) {
    var counts = new int[BUCKETS];
    for (var key : keys) {
      counts[bucket(key)]++;
    }
    return counts;
  }

  /**
   * Returns the keys bucket by bucket.
   *
   * @param counts how many belong into each
   */
  static int[] inBuckets(int[] keys, int[] counts) {
    var next = counts.clone();
    countsToStarts(next, 0);
    var sorted = new int[keys.length];
    for (var key : keys) {
      sorted[next[bucket(key)]++] = key;
    }
    return sorted;
  }

  private static void countsToStarts(int[] counts, int first) {
    var start = first;
    for (var i = 0; i < counts.length; i++) {
      var count = counts[i];
      counts[i] = start;
      start += count;
    }
  }

  /** Returns all keys of some lists bucket by bucket, as they are in each of these. */
  static int[] merged(List<int[]> lists) {
    var merged = new int[lists.stream().mapToInt(each -> each.length).sum()];
    var begins = new int[lists.size()];
    var filled = 0;
    for (var bucket = 0; filled < merged.length; bucket++) {
      for (var i = 0; i < begins.length; i++) {
        var list = lists.get(i);
        var end = endOf(bucket, list, begins[i]);
        System.arraycopy(list, begins[i], merged, filled, end - begins[i]);
        filled += end - begins[i];
        begins[i] = end;
      }
    }
    return merged;
  }

  private static int endOf(int bucket, int[] keys, int begin) {
    var end = begin;
    while (end < keys.length && bucket(keys[end]) == bucket) {
      end++;
    }
    return end;
  }

  /** Sorts keys that are bucket by bucket. */
  static void sortBuckets(int[] keys) {
    var byLast = new int[0];
    var lasts = new int[DIGITS];
    var middles = new int[DIGITS];
    for (int begin = 0, end; begin < keys.length; begin = end) {
      end = endOf(bucket(keys[begin]), keys, begin);
      if (byLast.length < end - begin) {
        byLast = new int[end - begin];
      }
      Arrays.fill(lasts, 0);
      Arrays.fill(middles, 0);
      for (var i = begin; i < end; i++) {
        lasts[last(keys[i])]++;
        middles[middle(keys[i])]++;
      }
      countsToStarts(lasts, 0);
      for (var i = begin; i < end; i++) {
        byLast[lasts[last(keys[i])]++] = keys[i];
      }
      countsToStarts(middles, begin);
      for (var i = 0; i < end - begin; i++) {
        keys[middles[middle(byLast[i])]++] = byLast[i];
      }
    }
  }
}
