package org.troupe.kernels;

import java.util.Arrays;
import java.util.SplittableRandom;
import mpi.MPI;

/** Sorts numbers that are divided among the ranks, by splitters from samples of all. */
public final class SampleSort {

  private static final int SAMPLES = 32; // of each rank
  private static final int SEED = 20_031;

  private SampleSort() {}

  /** Sorts so many numbers. */
  public static void main(String[] arguments) {
    var own = MPI.Init(arguments);
    var total = KernelReport.number(own, 0, 200_000);
    var rank = MPI.COMM_WORLD.Rank();
    var ranks = MPI.COMM_WORLD.Size();
    var all = new SplittableRandom(SEED).longs(total, 0, total).toArray(); // some are equal
    var mine =
        Arrays.copyOfRange(
            all,
            KernelReport.begin(total, rank, ranks),
            KernelReport.begin(total, rank + 1, ranks));
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    var sorted = sort(mine);
    var seconds = (System.nanoTime() - began) / 1e9;
    var counts = new int[ranks];
    MPI.COMM_WORLD.Allgather(new int[] {sorted.length}, 0, 1, MPI.INT, counts, 0, 1, MPI.INT);
    var begin = Arrays.stream(counts, 0, rank).sum();
    Arrays.sort(all);
    KernelReport.end(
        "sort of " + total + " numbers",
        seconds,
        Arrays.stream(counts).sum() == total
            && Arrays.equals(sorted, 0, sorted.length, all, begin, begin + sorted.length));
  }

  /** Returns the part of all numbers that is this rank's in the order. */
  private static long[] sort(long[] mine) {
    var ranks = MPI.COMM_WORLD.Size();
    Arrays.sort(mine);
    var samples = new long[SAMPLES];
    for (var i = 0; i < SAMPLES; i++) {
      samples[i] = mine.length == 0 ? 0 : mine[(int) ((long) mine.length * i / SAMPLES)];
    }
    var allSamples = new long[SAMPLES * ranks];
    MPI.COMM_WORLD.Allgather(samples, 0, SAMPLES, MPI.LONG, allSamples, 0, SAMPLES, MPI.LONG);
    Arrays.sort(allSamples);
    var counts = new int[ranks];
    var begins = new int[ranks];
    var at = 0;
    for (var to = 0; to < ranks; to++) {
      begins[to] = at;
      while (at < mine.length && (to == ranks - 1 || mine[at] < allSamples[SAMPLES * (to + 1)])) {
        at++;
      }
      counts[to] = at - begins[to];
    }
    var from = new int[ranks];
    MPI.COMM_WORLD.Alltoall(counts, 0, 1, MPI.INT, from, 0, 1, MPI.INT);
    var places = new int[ranks];
    for (var i = 1; i < ranks; i++) {
      places[i] = places[i - 1] + from[i - 1];
    }
    var sorted = new long[places[ranks - 1] + from[ranks - 1]];
    MPI.COMM_WORLD.Alltoallv(mine, 0, counts, begins, MPI.LONG, sorted, 0, from, places, MPI.LONG);
    Arrays.sort(sorted);
    return sorted;
  }
}
