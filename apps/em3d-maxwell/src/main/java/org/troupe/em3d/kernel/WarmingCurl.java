package org.troupe.em3d.kernel;

import org.troupe.em3d.mesh.CurlWeights;
import org.troupe.em3d.mesh.PartMesh;

/**
 * A curl kernel that switches from scalar to vector code when the JVM has compiled the vector code.
 */
final class WarmingCurl implements CurlKernel {

  /*
   * Until they are compiled, vectors are objects: a cell takes 20 us instead of 10 ns, for the two or
   * three seconds that the compiler needs. So a thread warms the vector code up during the set-up of the
   * mesh, and the first steps use the scalar code, which gives the same bits.
   *
   * On a busy machine the compiler may take minutes, so the warm-up never gives up; its pauses grow, so
   * that its cost falls.
   *
   * An earlier version gave up after ten seconds; on a busy machine such runs kept the scalar kernel to
   * their end (30dfec7, 2026-11-22).
   */
  private static final int CELLS = 256;

  private static final int TRIALS = 3; // of a kernel in each round
  private static final int ROUNDS_AHEAD = 5;
  private static final int ROUNDS_PER_MILLI = 10; // of rest

  private volatile CurlKernel current;

  WarmingCurl(CurlKernel present, CurlKernel future) {
    current = present;
    Thread.ofPlatform()
        .daemon()
        .name("em3d-warm-up")
        .start(
            () -> {
              try {
                exercise(future, present);
                current = future;
              } catch (InterruptedException e) {
                // No code interrupts this thread; if it happens, the scalar kernel stays in use.
              }
            });
  }

  /** Runs both kernels in turns; returns when the first is faster. */
  private static void exercise(CurlKernel future, CurlKernel present) throws InterruptedException {
    Exercise exercise = new Exercise();
    int ahead = 0;
    for (int round = 0; ahead < ROUNDS_AHEAD; round++) {
      ahead = exercise.nanos(future) < exercise.nanos(present) ? ahead + 1 : 0;
      Thread.sleep(round / ROUNDS_PER_MILLI);
    }
  }

  /** A small ring of cells to warm the kernels up with. */
  private static final class Exercise {

    private final int[] places = new int[4 * CELLS];
    private final CurlWeights weights =
        new CurlWeights(new double[9 * CELLS + PartMesh.MARGIN], null);
    private final double[] e = new double[3 * CELLS + PartMesh.MARGIN];
    private final double[] h = new double[3 * CELLS + PartMesh.MARGIN];
    private final double[] volumes = new double[CELLS];
    private final CellValues one = CellValues.same(1);
    private final CompensatedSum energy = new CompensatedSum();

    Exercise() {
      for (int k = 0; k < places.length; k++) {
        places[k] = 3 * ((k / 4 + k % 4) % CELLS);
      }
    }

    /**
     * Returns the shortest time of several, as the first one after a rest begins without caches.
     */
    long nanos(CurlKernel curl) {
      long shortest = Long.MAX_VALUE;
      for (int trial = 0; trial < TRIALS; trial++) {
        long began = System.nanoTime();
        curl.add(0, CELLS, places, weights, one, e, h);
        curl.addWithEnergy(0, CELLS, places, weights, one, e, h, volumes, one, one, energy);
        shortest = Math.min(shortest, System.nanoTime() - began);
      }
      return shortest;
    }
  }

  @Override
  public String description() {
    return current.description();
  }

  @Override
  public void add(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      CellValues factors,
      double[] source,
      double[] target) {
    current.add(from, to, places, weights, factors, source, target);
  }

  @Override
  public void addWithEnergy(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      CellValues factors,
      double[] e,
      double[] h,
      double[] volumes,
      CellValues epsilon,
      CellValues mu,
      CompensatedSum energy) {
    current.addWithEnergy(from, to, places, weights, factors, e, h, volumes, epsilon, mu, energy);
  }
}
