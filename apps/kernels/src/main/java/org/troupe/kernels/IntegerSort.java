package org.troupe.kernels;

import mpi.MPI;

/**
 * The kernel IS of the NAS parallel benchmarks: the ranks of keys among all keys, by counting. Keys
 * are exchanged so that each rank of the program has a range of them.
 */
public final class IntegerSort {

  private static final int ITERATIONS = 10;
  private static final int BUCKETS = 1 << 10;

  /** The published sizes, and the places and ranks of the keys that are checked. */
  private enum Size {
    S(
        16,
        11,
        new int[] {48_427, 17_148, 23_627, 62_548, 4_431},
        new int[] {0, 18, 346, 64_917, 65_463}),
    W(
        20,
        16,
        new int[] {357_773, 934_767, 875_723, 898_999, 404_505},
        new int[] {1_249, 11_698, 1_039_987, 1_043_896, 1_048_018}),
    A(
        23,
        19,
        new int[] {2_112_377, 662_041, 5_336_171, 3_642_833, 4_250_760},
        new int[] {104, 17_523, 123_928, 8_288_932, 8_388_264});

    private final int keys;
    private final int mostKey;
    private final int[] places;
    private final int[] ranks;

    Size(int keyBits, int rangeBits, int[] places, int[] ranks) {
      this.keys = 1 << keyBits;
      this.mostKey = 1 << rangeBits;
      this.places = places;
      this.ranks = ranks;
    }

    /** Returns the published rank of a checked key in an iteration. */
    int expected(int check, int iteration) {
      return switch (this) {
        case S -> ranks[check] + (check <= 2 ? iteration : -iteration);
        case W -> ranks[check] + (check < 2 ? iteration - 2 : -iteration);
        case A -> ranks[check] + (check <= 2 ? iteration - 1 : 1 - iteration);
      };
    }
  }

  private final Size size;
  private final int ranks = MPI.COMM_WORLD.Size();
  private final int rank = MPI.COMM_WORLD.Rank();
  private final int first; // of the own keys among all
  private final int[] keys;
  private final int[] received;
  private int receivedCount;
  private int lowest; // key of the own range
  private int highest; // + 1
  private int before; // the keys at lower ranks of the program
  private int[] counts = {}; // of keys up to each one of the own range

  private IntegerSort(Size size) {
    this.size = size;
    first = KernelReport.begin(size.keys, rank, ranks);
    keys = new int[KernelReport.begin(size.keys, rank + 1, ranks) - first];
    received = new int[size.keys];
    var random = new NasRandom();
    random.skip(4L * first);
    for (var i = 0; i < keys.length; i++) {
      keys[i] =
          (int)
              (size.mostKey
                  / 4.0
                  * (random.next() + random.next() + random.next() + random.next()));
    }
  }

  /** Runs a size, S unless the argument says another. */
  public static void main(String[] arguments) {
    var own = MPI.Init(arguments);
    var size = own.length > 0 ? Size.valueOf(own[0]) : Size.S;
    var kernel = new IntegerSort(size);
    kernel.rankKeys(1); // untimed, as the rules say
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    var isRight = true;
    for (var i = 1; i <= ITERATIONS; i++) {
      isRight &= kernel.rankKeys(i);
    }
    var seconds = (System.nanoTime() - began) / 1e9;
    KernelReport.end("IS " + size, seconds, isRight & kernel.isSorted());
  }

  private boolean rankKeys(int iteration) {
    setKey(iteration, iteration);
    setKey(iteration + ITERATIONS, size.mostKey - iteration);
    var checked = new int[size.places.length];
    for (var i = 0; i < checked.length; i++) {
      var place = size.places[i] - first;
      checked[i] = place >= 0 && place < keys.length ? keys[place] : 0;
    }
    var checkedKeys = new int[checked.length];
    MPI.COMM_WORLD.Allreduce(checked, 0, checkedKeys, 0, checked.length, MPI.INT, MPI.SUM);
    exchange();
    count();
    var isRight = true;
    for (var i = 0; i < checkedKeys.length; i++) {
      var key = checkedKeys[i];
      if (key > 0 && key < size.mostKey && key >= lowest && key < highest) {
        var its = before + (key == lowest ? 0 : counts[key - lowest - 1]);
        isRight &= its == size.expected(i, iteration);
      }
    }
    return isRight;
  }

  private void setKey(int place, int key) {
    if (place >= first && place - first < keys.length) {
      keys[place - first] = key;
    }
  }

  /** Sends each key to the rank that has its range. */
  private void exchange() {
    var width = Math.max(1, size.mostKey / BUCKETS);
    var buckets = size.mostKey / width;
    var own = new int[buckets];
    for (var key : keys) {
      own[key / width]++;
    }
    var all = new int[buckets];
    MPI.COMM_WORLD.Allreduce(own, 0, all, 0, buckets, MPI.INT, MPI.SUM);
    var ofBucket = new int[buckets]; // the rank that has it
    var counts = new int[ranks];
    var seen = 0L;
    before = 0;
    lowest = size.mostKey;
    highest = 0;
    for (var i = 0; i < buckets; i++) {
      var owner = (int) Math.min(ranks - 1, seen * ranks / size.keys);
      ofBucket[i] = owner;
      seen += all[i];
      counts[owner] += own[i];
      before += owner < rank ? all[i] : 0;
      if (owner == rank) {
        lowest = Math.min(lowest, i * width);
        highest = (i + 1) * width;
      }
    }
    var begins = new int[ranks];
    for (var i = 1; i < ranks; i++) {
      begins[i] = begins[i - 1] + counts[i - 1];
    }
    var sorted = new int[keys.length];
    var next = begins.clone();
    for (var key : keys) {
      sorted[next[ofBucket[key / width]]++] = key;
    }
    var from = new int[ranks];
    MPI.COMM_WORLD.Alltoall(counts, 0, 1, MPI.INT, from, 0, 1, MPI.INT);
    var places = new int[ranks];
    for (var i = 1; i < ranks; i++) {
      places[i] = places[i - 1] + from[i - 1];
    }
    receivedCount = places[ranks - 1] + from[ranks - 1];
    MPI.COMM_WORLD.Alltoallv(
        sorted, 0, counts, begins, MPI.INT, received, 0, from, places, MPI.INT);
  }

  private void count() {
    counts = new int[Math.max(0, highest - lowest)];
    for (var i = 0; i < receivedCount; i++) {
      counts[received[i] - lowest]++;
    }
    for (var i = 1; i < counts.length; i++) {
      counts[i] += counts[i - 1];
    }
  }

  /** Sorts the received keys by their ranks, and checks the order, also to the next rank. */
  private boolean isSorted() {
    var sorted = new int[receivedCount];
    var left = counts.clone();
    for (var i = 0; i < receivedCount; i++) {
      sorted[--left[received[i] - lowest]] = received[i];
    }
    var isRight = true;
    for (var i = 1; i < receivedCount; i++) {
      isRight &= sorted[i - 1] <= sorted[i];
    }
    var total = new int[1];
    MPI.COMM_WORLD.Allreduce(new int[] {receivedCount}, 0, total, 0, 1, MPI.INT, MPI.SUM);
    var ranges = new int[2 * ranks];
    var own =
        receivedCount == 0 ? new int[] {1, 0} : new int[] {sorted[0], sorted[receivedCount - 1]};
    MPI.COMM_WORLD.Allgather(own, 0, 2, MPI.INT, ranges, 0, 2, MPI.INT);
    var last = Integer.MIN_VALUE;
    for (var i = 0; i < ranks; i++) {
      if (ranges[2 * i] <= ranges[2 * i + 1]) {
        isRight &= last <= ranges[2 * i];
        last = ranges[2 * i + 1];
      }
    }
    return isRight && total[0] == size.keys;
  }
}
