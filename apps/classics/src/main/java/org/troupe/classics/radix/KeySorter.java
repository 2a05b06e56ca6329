package org.troupe.classics.radix;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.classics.IndexRange;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The keys of one member: in the beginning a share of all, in the end those of some buckets. */
class KeySorter {

  /*
   * Why the keys that stay are not copied. Merging them with the arriving keys first, so that all could
   * be sorted alike, took 26 ms instead of 17 (./troupe run radix, medians within an hour, 9acbd6e,
   * 2026-11-22).
   */

  private final int all;
  private int[] keys;
  private int[] bucketed; // the same, bucket by bucket
  private int[] received = {}; // of others
  private int[] sorted = {};
  private int count; // of the sorted ones

  public KeySorter(int all) {
    this.all = all;
  }

  /** Takes its share of the keys in disorder. */
  void prepare() {
    var spmd = Spmd.here(KeySorter.class);
    var own = IndexRange.of(all, spmd);
    keys = RadixKeys.random(own.first(), own.count());
    if (bucketed == null) {
      bucketed = new int[keys.length];
    }
  }

  /** Sorts: all keys of lower ranks are lower then. */
  void sort() {
    var spmd = Spmd.here(KeySorter.class);
    var counts = RadixKeys.count(keys);
    var total = counts.clone();
    spmd.allReduce(Slice.of(total), Operation.SUM);
    var going = counts(counts, firstBuckets(total, spmd.size()));
    RadixKeys.copyToBuckets(keys, counts, bucketed);
    RadixKeys.sort(exchange(spmd, going), sorted);
    spmd.barrier().join();
  }

  /**
   * Deals the buckets out, in their order, so that all members get about as many keys.
   *
   * @param counts of all members' keys
   * @return the first bucket of each member, and where those of the last end
   */
  static int[] firstBuckets(int[] counts, int members) {
    var first = new int[members + 1];
    var total = Arrays.stream(counts).asLongStream().sum();
    var before = 0L;
    var bucket = 0;
    for (var member = 1; member < members; member++) {
      while (bucket < counts.length && before + counts[bucket] / 2 < total * member / members) {
        before += counts[bucket++];
      }
      first[member] = bucket;
    }
    first[members] = counts.length;
    return first;
  }

  /** Returns how many keys each member is to get. */
  private static int[] counts(int[] byBucket, int[] firstBuckets) {
    var counts = new int[firstBuckets.length - 1];
    Arrays.setAll(
        counts, each -> Arrays.stream(byBucket, firstBuckets[each], firstBuckets[each + 1]).sum());
    return counts;
  }

  /**
   * Sends all keys to their owners, but its own, which stay where they are.
   *
   * @param going how many to each
   * @return what it has in the end, of each member
   */
  private List<RadixKeys.Run> exchange(Spmd<KeySorter> spmd, int[] going) {
    var me = spmd.rank();
    var coming = new int[going.length];
    spmd.allToAll(Slice.of(going), Slice.of(coming));
    count = Arrays.stream(coming).sum();
    if (sorted.length < count) {
      sorted = new int[count];
    }
    var from = starts(going);
    var own = new RadixKeys.Run(bucketed, from[me], from[me + 1]);
    coming[me] = 0;
    var to = starts(coming);
    if (received.length < count - going[me]) {
      received = new int[count - going[me]];
    }
    for (var i = 1; i < going.length; i++) {
      var other = (me + i) % going.length;
      var another = (me + going.length - i) % going.length;
      spmd.exchange(
          other,
          Slice.of(bucketed).from(from[other], going[other]),
          another,
          Slice.of(received).from(to[another], coming[another]));
    }
    return IntStream.range(0, going.length)
        .mapToObj(each -> each == me ? own : new RadixKeys.Run(received, to[each], to[each + 1]))
        .toList();
  }

  private static int[] starts(int[] counts) {
    var starts = new int[counts.length + 1];
    for (var i = 0; i < counts.length; i++) {
      starts[i + 1] = starts[i] + counts[i];
    }
    return starts;
  }

  /** Returns its keys, sorted. */
  int[] keys() {
    return Arrays.copyOf(sorted, count);
  }
}
