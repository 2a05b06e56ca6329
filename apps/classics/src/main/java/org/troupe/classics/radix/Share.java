package org.troupe.classics.radix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;

/** The keys of one member: in the beginning a share of all, in the end those of some buckets. */
class Share {

  private final int all;
  private int[] keys;

  public Share(int all) {
    this.all = all;
  }

  /** Takes its share of the keys in disorder. */
  void prepare() {
    var spmd = Spmd.here(Share.class);
    var first = (int) ((long) all * spmd.rank() / spmd.size());
    var end = (int) ((long) all * (spmd.rank() + 1) / spmd.size());
    keys = Keys.random(first, end - first);
  }

  /** Sorts: the keys of lower ranks are lower then. */
  void sort() {
    var spmd = Spmd.here(Share.class);
    var counts = Keys.count(keys);
    var counted = counts.clone();
    spmd.allReduce(Slice.of(counted), Operation.SUM);
    var received = spmd.allToAll(parts(counts, firstBuckets(counted, spmd.size())));
    keys = Keys.merged(received);
    Keys.sortBuckets(keys);
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
      while (before + counts[bucket] / 2 < total * member / members) {
        before += counts[bucket++];
      }
      first[member] = bucket;
    }
    first[members] = counts.length;
    return first;
  }

  /** Returns this member's keys by their owners, bucket by bucket. */
  private List<int[]> parts(int[] counts, int[] firstBuckets) {
    var sorted = Keys.inBuckets(keys, counts);
    List<int[]> parts = new ArrayList<>();
    var begin = 0;
    for (var member = 0; member < firstBuckets.length - 1; member++) {
      var end = begin + Arrays.stream(counts, firstBuckets[member], firstBuckets[member + 1]).sum();
      parts.add(Arrays.copyOfRange(sorted, begin, end));
      begin = end;
    }
    return parts;
  }

  /** Returns its keys. */
  int[] keys() {
    return keys;
  }
}
