package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.kernel.CurlKernel;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;
import org.troupe.em3d.physics.VectorField;

/**
 * The fields on one sub-domain and what advances them. For one thread at a time, which may have the
 * help of a {@link ThreadTeam}; the fields do not depend on that.
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
 * and the same once more with E and H exchanged. In place of {@code updateInnerH} and {@code
 * updateInnerE} there may be {@link #updateInner} and {@link #updateRest}. The fields come out
 * equal to the last bit however the mesh is divided.
 */
public abstract sealed class SubDomain permits ConstantSubDomain, LinearSubDomain {

  /** Fewer cells for each member of the team are sooner done than shared. */
  private static final int LEAST_SHARE = 2 * CurlKernel.BLOCK;

  final PartMesh mesh;
  final int cells;
  final Medium[] media; // of the cells

  private final PolynomialOrder order;
  private final SubDomainStepBound stepBound;
  private final BorderArrivals arrivedE;
  private final BorderArrivals arrivedH;
  private double step;
  private long steps; // E belongs to this one, H to the half step before
  private ThreadTeam team = ThreadTeam.alone();
  private final Update shared = new Update();

  /**
   * Begins at time 0.
   *
   * @param widths of the cells (m), see {@link StepBound}
   */
  SubDomain(PolynomialOrder order, PartMesh mesh, Physics physics, double[] widths) {
    this.order = order;
    this.mesh = mesh;
    cells = mesh.cells();
    media = new Medium[cells];
    double[] x = mesh.barycentres();
    for (int cell = 0; cell < cells; cell++) {
      String region = mesh.regionNames().get(mesh.regions()[cell]);
      media[cell] = physics.media().at(region, x[3 * cell], x[3 * cell + 1], x[3 * cell + 2]);
    }
    stepBound = new SubDomainStepBound(order, mesh, media, widths);
    arrivedE = new BorderArrivals(mesh, "border values of E");
    arrivedH = new BorderArrivals(mesh, "border values of H");
  }

  /** Builds the mesh of a part, with zero fields, at time 0. */
  public static SubDomain of(MeshPart part, Physics physics, PolynomialOrder order) {
    return switch (order) {
      case CONSTANT -> new ConstantSubDomain(part.build(), physics);
      case LINEAR -> new LinearSubDomain(part.build(), part.corners(), physics);
    };
  }

  // What it is

  /** The number of this sub-domain. */
  public final int rank() {
    return mesh.rank();
  }

  /** The mesh of this sub-domain. */
  public final PartMesh mesh() {
    return mesh;
  }

  /** What the fields are made of in a cell. */
  public final PolynomialOrder order() {
    return order;
  }

  /** What its inner loop computes with, for people: {@code scalar} and why, or which vectors. */
  public abstract String kernel();

  /**
   * How many sub-domains share a border with this one; below they are numbered from 0, in order of
   * rank.
   */
  public final int neighbours() {
    return mesh.neighbourRanks().length;
  }

  /** The rank of neighbour k. */
  public final int neighbourRank(int k) {
    return mesh.neighbourRanks()[k];
  }

  /** The neighbour with this rank. */
  public final int neighbourOfRank(int rank) {
    int k = Arrays.binarySearch(mesh.neighbourRanks(), rank);
    if (k < 0) {
      throw new IllegalArgumentException(
          "sub-domain %d has no border with sub-domain %d".formatted(rank(), rank));
    }
    return k;
  }

  private int borderFaces(int k) {
    return mesh.borderStarts()[k + 1] - mesh.borderStarts()[k];
  }

  /**
   * How many doubles travel to and from neighbour k in each half step: {@link
   * PolynomialOrder#borderValues} per border face.
   */
  public final int borderValues(int k) {
    return order.borderValues() * borderFaces(k);
  }

  private void requireLength(int k, int length, int expected) {
    if (length != expected) {
      throw new IllegalArgumentException(
          "sub-domains %d and %d share %d border faces and so exchange %d values, not %d"
              .formatted(rank(), neighbourRank(k), borderFaces(k), expected, length));
    }
  }

  // The time step

  /** The outward area vector of a face over twice the volume. */
  static Vector3 faceWeight(PartMesh mesh, int cell, int face) {
    double[] values = mesh.curlWeights().values();
    int first = mesh.curlWeights().place(cell) / 3;
    return face < 3
        ? Vector3.at(values, first + face)
        : Vector3.at(values, first)
            .plus(Vector3.at(values, first + 1))
            .plus(Vector3.at(values, first + 2))
            .times(-1);
  }

  /**
   * The shapes of the border cells towards neighbour k, from which it computes its {@link
   * #stableStepBound}.
   */
  public final double[] borderShapes(int k) {
    return stepBound.shapes(k);
  }

  /** Takes the {@link #borderShapes} of neighbour k. */
  public final void acceptShapes(int k, double[] shapes) {
    requireLength(k, shapes.length, SubDomainStepBound.shapeLength(borderFaces(k)));
    stepBound.accept(k, shapes);
  }

  /**
   * Returns the largest step (m) for which stability is proved on this sub-domain and its borders,
   * see {@link StepBound}.
   *
   * @throws IllegalStateException if shapes of a neighbour are missing
   */
  public final double stableStepBound() {
    return stepBound.value();
  }

  /** Sets the time step (m), the same for all sub-domains. */
  public final void useStep(double dt) {
    step = dt;
    prepare(dt);
  }

  abstract void prepare(double dt);

  final double step() {
    return step;
  }

  private void requireStep() {
    if (step == 0) {
      throw new IllegalStateException(
          "sub-domain %d has no time step; set one with useStep first".formatted(rank()));
    }
  }

  /** Says to which step the present E belongs, where that is not 0; sources depend on it. */
  public final void resumeAt(long stepOfE) {
    steps = stepOfE;
  }

  /** Says who advances the fields together from now on. */
  public final void useTeam(ThreadTeam members) {
    team = members;
    shared.prepare();
  }

  final ThreadTeam team() {
    return team;
  }

  // Advancing

  /**
   * Puts what neighbour k needs of a field into {@code buffer}, of length {@link #borderValues}.
   */
  public final void pack(FieldKind field, int k, double[] buffer) {
    requireLength(k, buffer.length, borderValues(k));
    give(field, mesh.borderStarts()[k], mesh.borderStarts()[k + 1], buffer);
  }

  /** Takes what neighbour k packed for us. */
  public final void accept(FieldKind field, int k, double[] values) {
    requireLength(k, values.length, borderValues(k));
    (field == FieldKind.E ? arrivedE : arrivedH).add(k);
    take(field, mesh.borderStarts()[k], values);
  }

  /** Advances H by a step in the cells that need nothing from neighbours. */
  public final void updateInnerH() {
    updateInnerH(null);
  }

  /** The same, and adds the energy of these cells at the time of E; see {@link EnergyHistory}. */
  public final void updateInnerH(CompensatedSum energy) {
    requireStep();
    update(FieldKind.H, 0, mesh.innerCells(), steps * step, energy);
  }

  /** Advances H by a step in the other cells. */
  public final void updateBorderH() {
    updateBorderH(null);
  }

  /** The same, and adds the energy of these cells at the time of E. */
  public final void updateBorderH(CompensatedSum energy) {
    arrivedE.requireAll();
    update(FieldKind.H, mesh.innerCells(), cells, steps * step, energy);
    arrivedE.reset();
  }

  /** Advances E by a step in the cells that need nothing from neighbours. */
  public final void updateInnerE() {
    requireStep();
    update(FieldKind.E, 0, mesh.innerCells(), (steps + 0.5) * step, null);
  }

  /** Advances E by a step in the other cells. */
  public final void updateBorderE() {
    arrivedH.requireAll();
    update(FieldKind.E, mesh.innerCells(), cells, (steps + 0.5) * step, null);
    arrivedH.reset();
    steps++;
  }

  /**
   * The first part of {@link #updateInnerH} and {@link #updateInnerE} together, to be done while
   * the borders of E travel. A mesh that does not fit into a cache is read only once this way.
   */
  public final void updateInner() {
    requireStep();
    advanceFirst(steps * step, (steps + 0.5) * step, null);
  }

  /** The same, and adds the energy of the cells whose H it advances. */
  public final void updateInner(CompensatedSum energy) {
    requireStep();
    advanceFirst(steps * step, (steps + 0.5) * step, energy);
  }

  /** The rest of both, to be done after {@link #updateBorderH}, while the borders of H travel. */
  public final void updateRest() {
    advanceRest(steps * step, (steps + 0.5) * step, null);
  }

  /** The same, and adds the energy of the cells whose H it advances. */
  public final void updateRest(CompensatedSum energy) {
    advanceRest(steps * step, (steps + 0.5) * step, energy);
  }

  /**
   * See {@link #updateInner}.
   *
   * @param energy {@code null}: not wanted
   */
  void advanceFirst(double timeOfE, double timeOfH, CompensatedSum energy) {
    update(FieldKind.H, 0, mesh.innerCells(), timeOfE, energy);
  }

  /**
   * See {@link #updateRest}.
   *
   * @param energy {@code null}: not wanted
   */
  void advanceRest(double timeOfE, double timeOfH, CompensatedSum energy) {
    update(FieldKind.E, 0, mesh.innerCells(), timeOfH, null);
  }

  /**
   * Advances a field in the cells from..to-1, all members of the team together.
   *
   * @param time of the other field
   * @param energy {@code null}: not wanted
   */
  private void update(FieldKind field, int from, int to, double time, CompensatedSum energy) {
    if (team.size() == 1 || to - from < LEAST_SHARE * team.size()) {
      updateAlone(field, from, to, time, energy);
    } else {
      shared.run(field, from, to, time, energy);
    }
  }

  private void updateAlone(FieldKind field, int from, int to, double time, CompensatedSum energy) {
    before(field, from, to);
    if (field == FieldKind.E) {
      advanceE(from, to, time);
    } else if (energy == null) {
      advanceH(from, to, time);
    } else {
      advanceH(from, to, time, energy);
    }
  }

  /**
   * An update in shares. What a cell becomes depends on the other field alone, and on nothing that
   * another cell's update changes.
   */
  private final class Update implements ThreadTeam.Work {

    private FieldKind field;
    private int from;
    private int to;
    private double time;
    private boolean withEnergy;
    private CompensatedSum[] energies; // of the members

    void prepare() {
      energies = new CompensatedSum[team.size()];
      Arrays.setAll(energies, member -> new CompensatedSum());
    }

    void run(FieldKind updated, int first, int end, double timeOfOther, CompensatedSum energy) {
      field = updated;
      from = first;
      to = end;
      time = timeOfOther;
      withEnergy = energy != null;
      team.run(this);
      for (int member = 0; withEnergy && member < energies.length; member++) {
        energy.add(energies[member].value());
        energies[member].reset();
      }
    }

    @Override
    public void share(int member) {
      updateAlone(
          field, start(member), start(member + 1), time, withEnergy ? energies[member] : null);
    }

    /** Of whole blocks, so that energies are added in the same blocks as by one thread. */
    private int start(int member) {
      int blocks = (to - from) / CurlKernel.BLOCK;
      return member == team.size()
          ? to
          : from + CurlKernel.BLOCK * (int) ((long) blocks * member / team.size());
    }
  }

  /** Puts what lies before the border faces from..to-1 into {@code buffer}. */
  abstract void give(FieldKind field, int from, int to, double[] buffer);

  /** Puts what lies behind the border faces from {@code from} on where it is needed. */
  abstract void take(FieldKind field, int from, double[] values);

  /**
   * Prepares an update of a field in the cells from..to-1: what is behind their walls, what is to
   * be kept.
   */
  abstract void before(FieldKind updated, int from, int to);

  /**
   * Advances H in the cells from..to-1.
   *
   * @param time of E
   */
  abstract void advanceH(int from, int to, double time);

  /** The same, and adds the energy of these cells. */
  abstract void advanceH(int from, int to, double time, CompensatedSum energy);

  /**
   * Advances E in the cells from..to-1.
   *
   * @param time of H
   */
  abstract void advanceE(int from, int to, double time);

  // The fields

  /**
   * Gives a field new values: those of the formula at the barycentres, or, if fields are linear in
   * each cell, the linear function nearest to it there.
   */
  public abstract void set(FieldKind field, VectorField values);

  /**
   * Makes H that of half a step before time 0, if H is zero at time 0. To be called after one H
   * update from H = 0, which left twice the H of half a step after.
   */
  public final void reflectHalfStep() {
    double[] h = values(FieldKind.H);
    for (int k = 0; k < h.length; k++) {
      h[k] *= -0.5;
    }
    set(FieldKind.H, h);
  }

  /**
   * Returns what a field is made of, a copy: {@link PolynomialOrder#cellValues} numbers of each
   * cell, in the order of {@code mesh().globalCells()}.
   */
  public abstract double[] values(FieldKind field);

  /** Gives a field what {@link #values} returned, here or in another division. */
  public final void set(FieldKind field, double[] values) {
    int expected = order.cellValues() * cells;
    if (values.length != expected) {
      throw new IllegalArgumentException(
          "sub-domain %d has %d cells and so %d values of a field, not %d"
              .formatted(rank(), cells, expected, values.length));
    }
    restore(field, values);
  }

  abstract void restore(FieldKind field, double[] values);

  /** Returns the mean of a field over each cell: {@code [3 * cell + axis]}. */
  public abstract double[] means(FieldKind field);

  /** Puts a field at a point (metres) of a cell into {@code value}. */
  public abstract void at(FieldKind field, int cell, double x, double y, double z, double[] value);

  /**
   * Puts the mean of a field over a face of a cell into {@code value}, as it is in the cell or
   * behind the face; behind inner and border faces only.
   */
  abstract void onFace(FieldKind field, int cell, int face, boolean behind, double[] value);

  /**
   * Returns the vector whose inner product with {@link #values} of an E is the integral of {@code
   * eps} times that E times the present one.
   */
  abstract double[] weightedE();

  /**
   * How far E is from the mode at one time and H at another (m); merge it with that of the other
   * sub-domains.
   */
  public abstract FieldErrors errors(CavityMode mode, double timeOfE, double timeOfH);

  /** Returns the {@linkplain FieldChecksum checksum} of both fields. */
  public final long checksum() {
    return FieldChecksum.of(this);
  }

  /**
   * Puts a field's values where they belong in the whole mesh, {@link PolynomialOrder#cellValues} a
   * cell.
   */
  public final void gather(FieldKind field, double[] whole) {
    int n = order.cellValues();
    double[] source = values(field);
    for (int cell = 0; cell < cells; cell++) {
      System.arraycopy(source, n * cell, whole, n * mesh.globalCells()[cell], n);
    }
  }

  /** Says which cell has the largest values, or some that are no numbers, and what they are. */
  public final String extreme() {
    double[] e = means(FieldKind.E);
    double[] h = means(FieldKind.H);
    int found = 0;
    double largest = -1;
    for (int k = 0; k < e.length; k++) {
      double size = Math.abs(e[k]) + Math.abs(h[k]);
      if (!(size <= largest) && !Double.isNaN(largest)) {
        found = k / 3;
        largest = size;
      }
    }
    double[] x = mesh.barycentres();
    return "in cell %d at (%.4g, %.4g, %.4g) m E is (%.3g, %.3g, %.3g) V/m"
        .formatted(
            mesh.globalCells()[found],
            x[3 * found],
            x[3 * found + 1],
            x[3 * found + 2],
            e[3 * found],
            e[3 * found + 1],
            e[3 * found + 2]);
  }

  /** The time of the present E (m). */
  final double time() {
    return steps * step;
  }

  /** Rank, order, size and step. */
  @Override
  public String toString() {
    return "sub-domain %d (%s, %d cells, %d neighbours, step %s m)"
        .formatted(rank(), order, cells, neighbours(), step);
  }
}
