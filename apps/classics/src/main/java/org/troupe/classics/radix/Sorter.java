package org.troupe.classics.radix;

import java.util.Arrays;
import org.troupe.classics.Stretch;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;

/** The keys of one member: in the beginning a share of all, in the end those of some buckets. */
class Sorter {

  private final int all;
  private int[] keys;
  private int[] bucketed; // the same, bucket by bucket
  private int[] received = {};
  private int[] sorted = {};
  private int count; // of those

  public Sorter(int all) {
    this.all = all;
  }

  /** Takes its share of the keys in disorder. */
  void prepare() {
    var spmd = Spmd.here(Sorter.class);
    var own = Stretch.of(all, spmd);
    keys = Keys.random(own.first(), own.count());
    if (bucketed == null) {
      bucketed = new int[keys.length];
    }
  }

  /** Sorts: all keys of lower ranks are lower then. */
  void sort() {
    var spmd = Spmd.here(Sorter.class);
    var counts = Keys.count(keys);
    var total = counts.clone();
    spmd.allReduce(Slice.of(total), Operation.SUM);
    var going = counts(counts, firstBuckets(total, spmd.size()));
    Keys.copyToBuckets(keys, counts, bucketed);
    var starts = exchange(spmd, going);
    Keys.sort(received, starts, sorted);
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
   * Sends all keys to their owners.
   *
   * @param going how many to each
   * @return where those from each member begin, and the last ones end
   */
  private int[] exchange(Spmd<Sorter> spmd, int[] going) {
    var coming = new int[going.length];
    spmd.allToAll(Slice.of(going), Slice.of(coming));
    var from = starts(going);
    var to = starts(coming);
    count = to[coming.length];
    if (received.length < count) {
      received = new int[count];
      sorted = new int[count];
    }
    var me = spmd.rank();
    for (var i = 1; i < going.length; i++) {
      var other = (me + i) % going.length;
      spmd.send(other, Slice.of(bucketed).from(from[other], going[other]));
    }
    System.arraycopy(bucketed, from[me], received, to[me], going[me]);
    for (var i = 1; i < going.length; i++) {
      var other = (me + going.length - i) % going.length;
      spmd.receive(other, Slice.of(received).from(to[other], coming[other]));
    }
    return to;
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
