package org.troupe.em3d.maxwell;

import org.troupe.em3d.mesh.PartMesh;

/** Goes over to a better implementation once the JVM has compiled that. */
final class WarmingCurl implements Curl {

  /*
   * Vectors that are not compiled yet are objects: a cell then takes 20 us and not 10 ns, for the
   * two or three seconds until the compiler is through. So they are exercised beside the set-up of
   * the mesh, and the first steps are left to the other implementation, which gives the same bits.
   */
  private static final int CELLS = 256;

  private static final int ROUNDS_AHEAD = 5;
  private static final long MOST_NANOS = 10_000_000_000L; // then this JVM will never compile them

  private volatile Curl current;

  WarmingCurl(Curl present, Curl future) {
    current = present;
    Thread.ofPlatform()
        .daemon()
        .name("em3d-warm-up")
        .start(
            () -> {
              if (getsAhead(future, present)) {
                current = future;
              }
            });
  }

  private static boolean getsAhead(Curl future, Curl present) {
    Exercise exercise = new Exercise();
    int ahead = 0;
    long began = System.nanoTime();
    while (ahead < ROUNDS_AHEAD && System.nanoTime() - began < MOST_NANOS) {
      ahead = exercise.nanos(future) < exercise.nanos(present) ? ahead + 1 : 0;
    }
    return ahead == ROUNDS_AHEAD;
  }

  /** Some cells that are each other's neighbours. */
  private static final class Exercise {

    private final int[] places = new int[4 * CELLS];
    private final double[] weights = new double[9 * CELLS + PartMesh.MARGIN];
    private final double[] e = new double[3 * CELLS + PartMesh.MARGIN];
    private final double[] h = new double[3 * CELLS + PartMesh.MARGIN];
    private final double[] volumes = new double[CELLS];
    private final PerCell one = PerCell.same(1);
    private final CompensatedSum energy = new CompensatedSum();

    Exercise() {
      for (int k = 0; k < places.length; k++) {
        places[k] = 3 * ((k / 4 + k % 4) % CELLS);
      }
    }

    long nanos(Curl curl) {
      long began = System.nanoTime();
      curl.add(0, CELLS, places, weights, one, e, h);
      curl.addWithEnergy(0, CELLS, places, weights, one, e, h, volumes, one, one, energy);
      return System.nanoTime() - began;
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
      double[] weights,
      PerCell factors,
      double[] source,
      double[] target) {
    current.add(from, to, places, weights, factors, source, target);
  }

  @Override
  public void addWithEnergy(
      int from,
      int to,
      int[] places,
      double[] weights,
      PerCell factors,
      double[] e,
      double[] h,
      double[] volumes,
      PerCell epsilon,
      PerCell mu,
      CompensatedSum energy) {
    current.addWithEnergy(from, to, places, weights, factors, e, h, volumes, epsilon, mu, energy);
  }
}
