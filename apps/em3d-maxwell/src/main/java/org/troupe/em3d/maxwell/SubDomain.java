package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.troupe.em3d.mesh.PartMesh;

/**
 * The fields on one sub-domain and what advances them. For one thread at a time.
 *
 * <p>In the beginning neighbours tell each other the shape of their border cells ({@link
 * #borderShapes}, {@link #acceptShapes}); the smallest {@link #stableStepBound} of all sub-domains
 * limits the time step, and {@link #useStep} sets it. Then E gets its values of time 0, H those of
 * half a step before ({@link #set}).
 *
 * <p>A step has two halves of the same form. For each neighbour k, in any order:
 *
 * <ol>
 *   <li>{@code pack(E, k, buffer)}, and send the buffer to neighbour k
 *   <li>{@code updateInnerH}
 *   <li>{@code accept(E, k, values)} of what neighbour k sent; it may come at any moment since the
 *       last {@code updateBorderH}, also before step 1
 *   <li>{@code updateBorderH}, when all neighbours' values are there
 * </ol>
 *
 * and the same once more with E and H exchanged. The fields come out equal to the last bit however
 * the mesh is divided.
 */
public final class SubDomain {

  private final PartMesh mesh;
  private final int cells;

  private final double[] epsilon;
  private final double[] mu;
  private final Influences influences;

  /** Vectors of the cells, then of the ghosts: {@code [3 * slot + axis]}. */
  private final double[] e;

  private final double[] h;

  /** Step over permittivity, and minus step over permeability, for each cell. */
  private final double[] factorsE;

  private final double[] factorsH;

  private final Arrivals shapes;
  private final Arrivals arrivedE;
  private final Arrivals arrivedH;
  private double stepBound;
  private double step;
  private long steps; // E belongs to this one, H to the half step before

  /** Starts with zero fields, at time 0. */
  public SubDomain(PartMesh mesh, Physics physics) {
    this.mesh = mesh;
    cells = mesh.cells();
    epsilon = new double[cells];
    mu = new double[cells];
    e = new double[3 * mesh.slots()];
    h = new double[3 * mesh.slots()];
    factorsE = new double[cells];
    factorsH = new double[cells];
    double[] x = mesh.barycentres();
    Medium[] media = new Medium[cells];
    for (int cell = 0; cell < cells; cell++) {
      String region = mesh.regionNames().get(mesh.regions()[cell]);
      media[cell] = physics.media().at(region, x[3 * cell], x[3 * cell + 1], x[3 * cell + 2]);
      epsilon[cell] = media[cell].epsilon();
      mu[cell] = media[cell].mu();
    }
    influences = new Influences(mesh, media, physics);
    int neighbours = mesh.neighbourRanks().length;
    shapes = new Arrivals("border shapes", neighbours);
    arrivedE = new Arrivals("border values of E", neighbours);
    arrivedH = new Arrivals("border values of H", neighbours);
    stepBound = boundWithin();
  }

  /** Which neighbours' data have come. */
  private final class Arrivals {

    private final String what;
    private final boolean[] arrived;
    private int missing;

    Arrivals(String what, int neighbours) {
      this.what = what;
      this.arrived = new boolean[neighbours];
      this.missing = neighbours;
    }

    void add(int neighbour) {
      if (arrived[neighbour]) {
        throw new IllegalStateException(
            "sub-domain %d got %s twice from sub-domain %d within one half step"
                .formatted(rank(), what, neighbourRank(neighbour)));
      }
      arrived[neighbour] = true;
      missing--;
    }

    void requireAll() {
      if (missing == 0) {
        return;
      }
      for (int k = 0; k < arrived.length; k++) {
        if (!arrived[k]) {
          throw new IllegalStateException(
              "sub-domain %d lacks %s from sub-domain %d (and %d others); accept them first"
                  .formatted(rank(), what, neighbourRank(k), missing - 1));
        }
      }
    }

    void startAnew() {
      Arrays.fill(arrived, false);
      missing = arrived.length;
    }
  }

  /** The number of this sub-domain. */
  public int rank() {
    return mesh.rank();
  }

  /** The mesh of this sub-domain. */
  public PartMesh mesh() {
    return mesh;
  }

  /**
   * How many sub-domains share a border with this one; below they are numbered from 0, in order of
   * rank.
   */
  public int neighbours() {
    return mesh.neighbourRanks().length;
  }

  /** The rank of neighbour k. */
  public int neighbourRank(int k) {
    return mesh.neighbourRanks()[k];
  }

  /** The neighbour with this rank. */
  public int neighbourOfRank(int rank) {
    int k = Arrays.binarySearch(mesh.neighbourRanks(), rank);
    if (k < 0) {
      throw new IllegalArgumentException(
          "sub-domain %d has no border with sub-domain %d".formatted(rank(), rank));
    }
    return k;
  }

  /** How many doubles travel to and from neighbour k in each half step: three per border face. */
  public int borderValues(int k) {
    return 3 * (mesh.borderStarts()[k + 1] - mesh.borderStarts()[k]);
  }

  /**
   * What neighbour k has to know of our border cells: volume over surface (m), permittivity,
   * permeability per face.
   */
  public double[] borderShapes(int k) {
    double[] shape = new double[borderValues(k)];
    int at = 0;
    for (int face = mesh.borderStarts()[k]; face < mesh.borderStarts()[k + 1]; face++) {
      int cell = mesh.borderCells()[face];
      shape[at++] = mesh.volumes()[cell] / mesh.surfaces()[cell];
      shape[at++] = epsilon[cell];
      shape[at++] = mu[cell];
    }
    return shape;
  }

  /** Takes the {@link #borderShapes} of neighbour k. */
  public void acceptShapes(int k, double[] shape) {
    requireLength(k, shape);
    shapes.add(k);
    int at = 0;
    for (int face = mesh.borderStarts()[k]; face < mesh.borderStarts()[k + 1]; face++) {
      int cell = mesh.borderCells()[face];
      double width = mesh.volumes()[cell] / mesh.surfaces()[cell];
      stepBound =
          Math.min(
              stepBound,
              StepBound.acrossFace(
                  width, epsilon[cell], mu[cell], shape[at], shape[at + 1], shape[at + 2]));
      at += 3;
    }
  }

  /**
   * Returns the largest step (m) for which stability is proved on this sub-domain and its borders,
   * see {@link StepBound}.
   *
   * @throws IllegalStateException if shapes of a neighbour are missing
   */
  public double stableStepBound() {
    shapes.requireAll();
    return stepBound;
  }

  private double boundWithin() {
    double bound = Double.POSITIVE_INFINITY;
    int firstBorderPlace = 3 * mesh.firstBorderGhost();
    for (int cell = 0; cell < cells; cell++) {
      double width = mesh.volumes()[cell] / mesh.surfaces()[cell];
      for (int face = 0; face < 4; face++) {
        int place = mesh.neighbourPlaces()[4 * cell + face];
        if (place >= firstBorderPlace) {
          continue;
        }
        int other = place >= 3 * cells ? cell : place / 3;
        double otherWidth = mesh.volumes()[other] / mesh.surfaces()[other];
        bound =
            Math.min(
                bound,
                StepBound.acrossFace(
                    width, epsilon[cell], mu[cell], otherWidth, epsilon[other], mu[other]));
      }
    }
    return bound;
  }

  /** Sets the time step (m), the same for all sub-domains. */
  public void useStep(double dt) {
    step = dt;
    for (int cell = 0; cell < cells; cell++) {
      factorsE[cell] = dt / epsilon[cell];
      factorsH[cell] = -dt / mu[cell];
    }
    influences.useStep(dt);
  }

  /** Says to which step the present E belongs, where that is not 0; sources depend on it. */
  public void resumeAt(long stepOfE) {
    steps = stepOfE;
  }

  /** Gives a field new values: those of the formula at the barycentres. */
  public void set(Field field, VectorField values) {
    double[] target = of(field);
    double[] x = mesh.barycentres();
    double[] value = new double[3];
    for (int cell = 0; cell < cells; cell++) {
      values.at(x[3 * cell], x[3 * cell + 1], x[3 * cell + 2], value);
      System.arraycopy(value, 0, target, 3 * cell, 3);
    }
  }

  /**
   * Makes H that of half a step before time 0, if H is zero at time 0. To be called after one H
   * update from H = 0, which left twice the H of half a step after.
   */
  public void reflectHalfStep() {
    for (int k = 0; k < 3 * cells; k++) {
      h[k] *= -0.5;
    }
  }

  /**
   * Puts what neighbour k needs of a field into {@code buffer}, of length {@link #borderValues}.
   */
  public void pack(Field field, int k, double[] buffer) {
    requireLength(k, buffer);
    double[] source = of(field);
    int[] borderCells = mesh.borderCells();
    int at = 0;
    for (int face = mesh.borderStarts()[k]; face < mesh.borderStarts()[k + 1]; face++) {
      int place = 3 * borderCells[face];
      buffer[at] = source[place];
      buffer[at + 1] = source[place + 1];
      buffer[at + 2] = source[place + 2];
      at += 3;
    }
  }

  /** Takes what neighbour k packed for us. */
  public void accept(Field field, int k, double[] values) {
    requireLength(k, values);
    (field == Field.E ? arrivedE : arrivedH).add(k);
    int ghost = mesh.firstBorderGhost() + mesh.borderStarts()[k];
    System.arraycopy(values, 0, of(field), 3 * ghost, values.length);
  }

  private void requireLength(int k, double[] values) {
    if (values.length != borderValues(k)) {
      throw new IllegalArgumentException(
          "sub-domains %d and %d share %d border faces and so exchange %d values, not %d"
              .formatted(
                  rank(), neighbourRank(k), borderValues(k) / 3, borderValues(k), values.length));
    }
  }

  /** Advances H by a step in the cells that need nothing from neighbours. */
  public void updateInnerH() {
    requireStep();
    influences.before(Field.H, h, e);
    advanceH(0, mesh.innerCells());
  }

  /** The same, and adds the energy of these cells at the time of E; see {@link EnergyHistory}. */
  public void updateInnerH(CompensatedSum energy) {
    requireStep();
    influences.before(Field.H, h, e);
    advanceH(0, mesh.innerCells(), energy);
  }

  /** Advances H by a step in the other cells. */
  public void updateBorderH() {
    arrivedE.requireAll();
    advanceH(mesh.innerCells(), cells);
    arrivedE.startAnew();
  }

  /** The same, and adds the energy of these cells at the time of E. */
  public void updateBorderH(CompensatedSum energy) {
    arrivedE.requireAll();
    advanceH(mesh.innerCells(), cells, energy);
    arrivedE.startAnew();
  }

  /** Advances E by a step in the cells that need nothing from neighbours. */
  public void updateInnerE() {
    requireStep();
    influences.before(Field.E, e, h);
    advanceE(0, mesh.innerCells());
  }

  /** Advances E by a step in the other cells. */
  public void updateBorderE() {
    arrivedH.requireAll();
    advanceE(mesh.innerCells(), cells);
    arrivedH.startAnew();
    steps++;
  }

  private void requireStep() {
    if (step == 0) {
      throw new IllegalStateException(
          "sub-domain %d has no time step; set one with useStep first".formatted(rank()));
    }
  }

  private void advanceH(int from, int to) {
    Curl.add(from, to, mesh.neighbourPlaces(), mesh.curlWeights(), factorsH, e, h);
    influences.after(Field.H, from, to, steps * step, h);
  }

  private void advanceH(int from, int to, CompensatedSum energy) {
    Curl.addWithEnergy(
        from,
        to,
        mesh.neighbourPlaces(),
        mesh.curlWeights(),
        factorsH,
        e,
        h,
        mesh.volumes(),
        epsilon,
        mu,
        energy);
    energy.add(influences.afterWithEnergy(from, to, steps * step, h, mesh.volumes(), mu));
  }

  private void advanceE(int from, int to) {
    Curl.add(from, to, mesh.neighbourPlaces(), mesh.curlWeights(), factorsE, h, e);
    influences.after(Field.E, from, to, (steps + 0.5) * step, e);
  }

  /**
   * How far E is from the mode at one time and H at another (m); merge it with that of the other
   * sub-domains.
   */
  public FieldErrors errors(CavityMode mode, double timeOfE, double timeOfH) {
    double[] value = new double[3];
    double[] x = mesh.barycentres();
    FieldErrors.Sums sums = new FieldErrors.Sums();
    VectorField start = mode.electric(0);
    VectorField exactE = mode.electric(timeOfE);
    VectorField exactH = mode.magnetic(timeOfH);
    for (int cell = 0; cell < cells; cell++) {
      int place = 3 * cell;
      double volume = mesh.volumes()[cell];
      exactE.at(x[place], x[place + 1], x[place + 2], value);
      sums.addE(volume, e, place, value);
      exactH.at(x[place], x[place + 1], x[place + 2], value);
      sums.addH(volume, h, place, value);
      start.at(x[place], x[place + 1], x[place + 2], value);
      sums.addStart(volume, value);
    }
    return sums.total();
  }

  /**
   * A fingerprint of both fields; the sum (modulo 2^64) over all sub-domains does not depend on the
   * division.
   *
   * <p>Each bit pattern is scrambled together with the global number of its cell, so that also
   * values in wrong places show.
   */
  public long checksum() {
    long sum = 0;
    for (int cell = 0; cell < cells; cell++) {
      long number = 6L * mesh.globalCells()[cell];
      for (int axis = 0; axis < 3; axis++) {
        sum += scrambled(number + axis, e[3 * cell + axis]);
        sum += scrambled(number + 3 + axis, h[3 * cell + axis]);
      }
    }
    return sum;
  }

  /** The finaliser of splitmix64, applied to value and place. */
  private static long scrambled(long number, double value) {
    long z = Double.doubleToRawLongBits(value) + (number + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /**
   * Puts a field's vectors where they belong in the whole mesh: {@code whole[3 * globalCell +
   * axis]}.
   */
  public void gather(Field field, double[] whole) {
    double[] source = of(field);
    for (int cell = 0; cell < cells; cell++) {
      System.arraycopy(source, 3 * cell, whole, 3 * mesh.globalCells()[cell], 3);
    }
  }

  /**
   * Returns the vectors of a field, a copy: {@code [3 * cell + axis]}, in the order of {@code
   * mesh().globalCells()}.
   */
  public double[] values(Field field) {
    return Arrays.copyOf(of(field), 3 * cells);
  }

  /** Gives a field the vectors that {@link #values} returned, here or in another division. */
  public void set(Field field, double[] values) {
    if (values.length != 3 * cells) {
      throw new IllegalArgumentException(
          "sub-domain %d has %d cells and so %d values of a field, not %d"
              .formatted(rank(), cells, 3 * cells, values.length));
    }
    System.arraycopy(values, 0, of(field), 0, values.length);
  }

  /** The working array of a field: {@code [3 * slot + axis]}. */
  double[] of(Field field) {
    return field == Field.E ? e : h;
  }

  double epsilon(int cell) {
    return epsilon[cell];
  }

  /** Rank, size and step. */
  @Override
  public String toString() {
    return "sub-domain %d (%d cells, step %s m)".formatted(rank(), cells, step);
  }
}
