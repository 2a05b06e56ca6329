package org.troupe.classics.radix;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.classics.IndexRange;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The keys of one member: initially a share of all keys, finally those of some buckets. */
class KeySorter {

  /*
   * Why a member's own keys are not copied. Merging them with the arriving keys first, so that all could
   * be sorted alike, took 26 ms instead of 17 (./troupe run radix, medians within an hour, 9acbd6e,
   * 2026-11-22).
   */

  private final int all;
  private int[] keys = {};
  private int[] bucketed = {}; // the keys, bucket by bucket
  private int[] received = {}; // from other members
  private int[] sorted = {};
  private int count; // of sorted keys

  public KeySorter(int all) {
    this.all = all;
  }

  /** Generates this member's share of the unsorted keys. */
  void prepare() {
    var spmd = Spmd.here(KeySorter.class);
    var own = IndexRange.of(all, spmd);
    keys = RadixKeys.random(own.first(), own.count());
    if (bucketed.length != keys.length) {
      bucketed = new int[keys.length];
    }
  }

  /** Sorts: afterwards all keys of lower ranks are lower. */
  void sort() {
    var spmd = Spmd.here(KeySorter.class);
    var counts = RadixKeys.count(keys);
    var total = counts.clone();
    spmd.allReduce(Slice.of(total), Operation.SUM);
    var sent = counts(counts, firstBuckets(total, spmd.size()));
    RadixKeys.copyToBuckets(keys, counts, bucketed);
    RadixKeys.sort(exchange(spmd, sent), sorted);
    spmd.barrier().join();
  }

  /**
   * Assigns the buckets to members in order, so that all members get about equally many keys.
   *
   * @param counts the number of all members' keys in each bucket
   * @return the first bucket of each member, and the end of the last member's buckets
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

  /** Returns the number of keys that each member gets. */
  private static int[] counts(int[] byBucket, int[] firstBuckets) {
    var counts = new int[firstBuckets.length - 1];
    Arrays.setAll(
        counts, each -> Arrays.stream(byBucket, firstBuckets[each], firstBuckets[each + 1]).sum());
    return counts;
  }

  /**
   * Sends all keys to their owners, except this member's own keys, which are not copied.
   *
   * @param sent the number of keys for each member
   * @return the keys from each member
   */
  private List<RadixKeys.Run> exchange(Spmd<KeySorter> spmd, int[] sent) {
    var me = spmd.rank();
    var arriving = new int[sent.length];
    spmd.allToAll(Slice.of(sent), Slice.of(arriving));
    count = Arrays.stream(arriving).sum();
    if (sorted.length < count) {
      sorted = new int[count];
    }
    var from = starts(sent);
    var own = new RadixKeys.Run(bucketed, from[me], from[me + 1]);
    arriving[me] = 0;
    var to = starts(arriving);
    if (received.length < count - sent[me]) {
      received = new int[count - sent[me]];
    }
    for (var i = 1; i < sent.length; i++) {
      var other = (me + i) % sent.length;
      var another = (me + sent.length - i) % sent.length;
      spmd.exchange(
          other,
          Slice.of(bucketed).from(from[other], sent[other]),
          another,
          Slice.of(received).from(to[another], arriving[another]));
    }
    return IntStream.range(0, sent.length)
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

  /** Returns this member's sorted keys. */
  int[] keys() {
    return Arrays.copyOf(sorted, count);
  }
}
