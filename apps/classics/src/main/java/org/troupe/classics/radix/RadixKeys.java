package org.troupe.classics.radix;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The operations with which all versions sort integer keys by their three digits.
 *
 * <p>The first digit assigns the keys to buckets that fit into a first-level cache. Each bucket is
 * sorted by the last digit, then stably by the middle one.
 *
 * @see "D. E. Knuth, The Art of Computer Programming, vol. 3, section 5.2.5"
 */
final class RadixKeys {

  static final int BUCKETS = 1 << 10;

  private static final int FIRST_SHIFT = 22;
  private static final int MIDDLE_SHIFT = 11;
  private static final int DIGITS = 1 << MIDDLE_SHIFT;

  private RadixKeys() {}

  /** Returns a section of a sequence of random keys, which is the same for every caller. */
  static int[] random(int first, int count) {
    var keys = new int[count];
    Arrays.setAll(keys, i -> new SplittableRandom(first + i).nextInt());
    return keys;
  }

  private static int bucket(int key) {
    return key >>> FIRST_SHIFT
        ^ BUCKETS / 2; // inverts the sign bit, so that negative keys come first
  }

  private static int middle(int key) {
    return key >>> MIDDLE_SHIFT & DIGITS - 1;
  }

  private static int last(int key) {
    return key & DIGITS - 1;
  }

  /** Returns the number of keys in each bucket. */
  static int[] count(int[] keys) {
    var counts = new int[BUCKETS];
    for (var key : keys) {
      counts[bucket(key)]++;
    }
    return counts;
  }

  /**
   * Copies the keys, ordered by bucket.
   *
   * @param counts the number of keys in each bucket
   */
  static void copyToBuckets(int[] keys, int[] counts, int[] to) {
    var next = counts.clone();
    countsToStarts(next, 0);
    for (var key : keys) {
      to[next[bucket(key)]++] = key;
    }
  }

  private static void countsToStarts(int[] counts, int first) {
    var start = first;
    for (var i = 0; i < counts.length; i++) {
      var count = counts[i];
      counts[i] = start;
      start += count;
    }
  }

  /** A section of an array of keys that are ordered by bucket. */
  record Run(int[] keys, int begin, int end) {}

  /** Sorts the keys of some runs into one array. */
  static void sort(List<Run> runs, int[] to) {
    var begins = runs.stream().mapToInt(Run::begin).toArray(); // of the current bucket in each run
    var ends = new int[begins.length];
    var byLast = new int[0];
    var lasts = new int[DIGITS];
    var middles = new int[DIGITS];
    var all = runs.stream().mapToInt(each -> each.end - each.begin).sum();
    var sorted = 0;
    for (var bucket = 0; sorted < all; bucket++) {
      Arrays.fill(lasts, 0);
      Arrays.fill(middles, 0);
      var count = 0;
      for (var i = 0; i < begins.length; i++) {
        var run = runs.get(i);
        ends[i] = count(bucket, run.keys, begins[i], run.end, lasts, middles);
        count += ends[i] - begins[i];
      }
      if (byLast.length < count) {
        byLast = new int[count];
      }
      countsToStarts(lasts, 0);
      for (var i = 0; i < begins.length; i++) {
        distributeByLast(runs.get(i).keys, begins[i], ends[i], lasts, byLast);
        begins[i] = ends[i];
      }
      countsToStarts(middles, sorted);
      distributeByMiddle(byLast, count, middles, to);
      sorted += count;
    }
  }

  /** Counts the digits of the keys of a bucket in a run, and returns the end of the bucket. */
  private static int count(
      int bucket, int[] keys, int begin, int limit, int[] lasts, int[] middles) {
    var at = begin;
    for (; at < limit && bucket(keys[at]) == bucket; at++) {
      lasts[last(keys[at])]++;
      middles[middle(keys[at])]++;
    }
    return at;
  }

  private static void distributeByLast(int[] keys, int begin, int end, int[] next, int[] to) {
    for (var at = begin; at < end; at++) {
      to[next[last(keys[at])]++] = keys[at];
    }
  }

  private static void distributeByMiddle(int[] keys, int count, int[] next, int[] to) {
    for (var at = 0; at < count; at++) {
      to[next[middle(keys[at])]++] = keys[at];
    }
  }
}
