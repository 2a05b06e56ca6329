package org.troupe.em3d.maxwell;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.kernel.CurlKernel;
import org.troupe.em3d.mesh.BuiltPart;
import org.troupe.em3d.mesh.CellRanges;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;
import org.troupe.em3d.physics.VectorField;

/**
 * The fields on one sub-domain and their update. For one thread at a time, which may share the work
 * with a {@link ThreadTeam}; the fields do not depend on the size of the team.
 *
 * <p>At first, neighbours exchange the shapes of their border cells ({@link #borderShapes}, {@link
 * #acceptShapes}). The smallest {@link #stableStepBound} of all sub-domains limits the time step,
 * which {@link #useStep} sets. Then {@link #set} initialises E at time 0 and H half a step earlier.
 *
 * <p>A step consists of two half steps. In the first one, for each neighbour k in any order:
 *
 * <ol>
 *   <li>{@code pack(E, k, buffer)}, and send the buffer to neighbour k
 *   <li>{@code updateInnerH}
 *   <li>{@code accept(E, k, values)} with the values that neighbour k sent; they may arrive at any
 *       time after the last {@code updateBorderH}, even before step 1
 *   <li>{@code updateBorderH}, when the values of all neighbours have arrived
 * </ol>
 *
 * The second half step exchanges the roles of E and H. {@link #updateInner} and {@link #updateRest}
 * may replace {@code updateInnerH} and {@code updateInnerE}. The fields are equal to the last bit
 * for every division of the mesh.
 */
public abstract sealed class SubDomain permits ConstantSubDomain, LinearSubDomain {

  /** With fewer cells per thread, one thread is faster than a team. */
  private static final int LEAST_SHARE = 2 * CurlKernel.BLOCK;

  final PartMesh mesh;
  final int cells;
  final Medium[] media; // of the cells

  private final PolynomialOrder order;
  private final SubDomainStepBound stepBound;
  private final BorderArrivals arrivedE;
  private final BorderArrivals arrivedH;
  private double step;
  private long steps; // E belongs to this step, H to the half step before
  private ThreadTeam team = ThreadTeam.alone();
  private final Update shared = new Update();

  /**
   * Creates zero fields at time 0.
   *
   * @param widths of the cells (m), see {@link StepBound}
   */
  SubDomain(PolynomialOrder order, PartMesh mesh, Physics physics, double[] widths) {
    this.order = order;
    this.mesh = mesh.afterSetUp();
    cells = mesh.cells();
    media = new Medium[cells];
    CellRanges.process(cells, (from, to) -> fill(mesh, physics.media(), from, to));
    stepBound = new SubDomainStepBound(order, this.mesh, media, widths);
    arrivedE = new BorderArrivals(this.mesh, "border values of E");
    arrivedH = new BorderArrivals(this.mesh, "border values of H");
  }

  private void fill(PartMesh whole, MediumMap map, int from, int to) {
    double[] x = whole.barycentres();
    for (int cell = from; cell < to; cell++) {
      String region = whole.regionNames().get(whole.regions()[cell]);
      media[cell] = map.at(region, x[3 * cell], x[3 * cell + 1], x[3 * cell + 2]);
    }
  }

  /** Builds the mesh of a part, with zero fields, at time 0. */
  public static SubDomain of(MeshPart part, Physics physics, PolynomialOrder order) {
    return of(part.build(order == PolynomialOrder.LINEAR), physics, order);
  }

  /**
   * Returns zero fields at time 0 on a mesh that was built.
   *
   * @param built with corners, if the order is linear
   */
  public static SubDomain of(BuiltPart built, Physics physics, PolynomialOrder order) {
    return switch (order) {
      case CONSTANT -> new ConstantSubDomain(built.mesh(), physics);
      case LINEAR ->
          new LinearSubDomain(
              built.mesh(), Objects.requireNonNull(built.corners(), "corners"), physics);
    };
  }

  // Properties

  /** Returns the rank of this sub-domain. */
  public final int rank() {
    return mesh.rank();
  }

  /** Returns the mesh of this sub-domain. */
  public final PartMesh mesh() {
    return mesh;
  }

  /** Returns the polynomial order of the fields. */
  public final PolynomialOrder order() {
    return order;
  }

  /** Describes the inner loop for the report: {@code scalar} and why, or which vectors. */
  public abstract String kernel();

  /**
   * Returns the number of neighbours, the sub-domains that share a border with this one. Other
   * methods number them from 0, in rank order.
   */
  public final int neighbours() {
    return mesh.neighbourRanks().length;
  }

  /** Returns the rank of neighbour k. */
  public final int neighbourRank(int k) {
    return mesh.neighbourRanks()[k];
  }

  /** Returns the number of the neighbour with this rank. */
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
   * Returns how many doubles are sent to and received from neighbour k in each half step: {@link
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

  /** Returns the outward area vector of a face over twice the volume. */
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
   * Returns the shapes of the border cells towards neighbour k, which it needs for its {@link
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

  /** Sets the time step (m), which must be equal for all sub-domains. */
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

  /** Sets the step of the present E, on which the sources depend, when a run resumes. */
  public final void resumeAt(long stepOfE) {
    steps = stepOfE;
  }

  /** Sets the threads that advance the fields together from now on. */
  public final void useTeam(ThreadTeam members) {
    team = members;
    shared.prepare();
  }

  final ThreadTeam team() {
    return team;
  }

  // Advancing

  /**
   * Copies the border values of a field for neighbour k into {@code buffer}, of length {@link
   * #borderValues}.
   */
  public final void pack(FieldKind field, int k, double[] buffer) {
    requireLength(k, buffer.length, borderValues(k));
    packBorder(field, mesh.borderStarts()[k], mesh.borderStarts()[k + 1], buffer);
  }

  /** Takes the border values that neighbour k packed for this sub-domain. */
  public final void accept(FieldKind field, int k, double[] values) {
    requireLength(k, values.length, borderValues(k));
    (field == FieldKind.E ? arrivedE : arrivedH).add(k);
    unpackBorder(field, mesh.borderStarts()[k], values);
  }

  /** Advances H by a step in the inner cells, which need no border values. */
  public final void updateInnerH() {
    updateInnerH(null);
  }

  /**
   * Advances H by a step in the inner cells, and adds the energy of these cells at the time of E;
   * see {@link EnergyHistory}.
   */
  public final void updateInnerH(@Nullable CompensatedSum energy) {
    requireStep();
    update(FieldKind.H, 0, mesh.innerCells(), steps * step, energy);
  }

  /** Advances H by a step in the border cells. */
  public final void updateBorderH() {
    updateBorderH(null);
  }

  /**
   * Advances H by a step in the border cells, and adds the energy of these cells at the time of E.
   */
  public final void updateBorderH(@Nullable CompensatedSum energy) {
    arrivedE.requireAll();
    update(FieldKind.H, mesh.innerCells(), cells, steps * step, energy);
    arrivedE.reset();
  }

  /** Advances E by a step in the inner cells, which need no border values. */
  public final void updateInnerE() {
    requireStep();
    update(FieldKind.E, 0, mesh.innerCells(), (steps + 0.5) * step, null);
  }

  /** Advances E by a step in the border cells. */
  public final void updateBorderE() {
    arrivedH.requireAll();
    update(FieldKind.E, mesh.innerCells(), cells, (steps + 0.5) * step, null);
    arrivedH.reset();
    steps++;
  }

  /**
   * The first part of a pass that combines {@link #updateInnerH} and {@link #updateInnerE}, to be
   * executed while the borders of E travel. A mesh that does not fit into the cache is thus read
   * once instead of twice.
   */
  public final void updateInner() {
    requireStep();
    advanceFirst(steps * step, (steps + 0.5) * step, null);
  }

  /** Executes {@link #updateInner()}, and adds the energy of the cells whose H it advances. */
  public final void updateInner(CompensatedSum energy) {
    requireStep();
    advanceFirst(steps * step, (steps + 0.5) * step, energy);
  }

  /**
   * The rest of the pass of {@link #updateInner()}, to be executed after {@link #updateBorderH},
   * while the borders of H travel.
   */
  public final void updateRest() {
    advanceRest(steps * step, (steps + 0.5) * step, null);
  }

  /** Executes {@link #updateRest()}, and adds the energy of the cells whose H it advances. */
  public final void updateRest(CompensatedSum energy) {
    advanceRest(steps * step, (steps + 0.5) * step, energy);
  }

  /**
   * Implements {@link #updateInner()}.
   *
   * @param energy sum to add to, or {@code null}
   */
  void advanceFirst(double timeOfE, double timeOfH, @Nullable CompensatedSum energy) {
    update(FieldKind.H, 0, mesh.innerCells(), timeOfE, energy);
  }

  /**
   * Implements {@link #updateRest()}.
   *
   * @param energy sum to add to, or {@code null}
   */
  void advanceRest(double timeOfE, double timeOfH, @Nullable CompensatedSum energy) {
    update(FieldKind.E, 0, mesh.innerCells(), timeOfH, null);
  }

  /**
   * Advances a field in the cells from..to-1, on all threads of the team.
   *
   * @param time of the other field
   * @param energy sum to add to, or {@code null}
   */
  private void update(
      FieldKind field, int from, int to, double time, @Nullable CompensatedSum energy) {
    if (team.size() == 1 || to - from < LEAST_SHARE * team.size()) {
      updateAlone(field, from, to, time, energy);
    } else {
      shared.run(field, from, to, time, energy);
    }
  }

  private void updateAlone(
      FieldKind field, int from, int to, double time, @Nullable CompensatedSum energy) {
    prepareUpdate(field, from, to);
    if (field == FieldKind.E) {
      advanceE(from, to, time);
    } else if (energy == null) {
      advanceH(from, to, time);
    } else {
      advanceH(from, to, time, energy);
    }
  }

  /**
   * An update by a team. The threads need no order: the new value of a cell depends on the other
   * field only, which the update does not change.
   */
  private final class Update implements ThreadTeam.Work {

    private FieldKind field = FieldKind.E;
    private int from;
    private int to;
    private double time;
    private boolean withEnergy;
    private CompensatedSum[] energies = {}; // of the members

    void prepare() {
      energies = new CompensatedSum[team.size()];
      Arrays.setAll(energies, member -> new CompensatedSum());
    }

    void run(
        FieldKind updated,
        int first,
        int end,
        double timeOfOther,
        @Nullable CompensatedSum energy) {
      field = updated;
      from = first;
      to = end;
      time = timeOfOther;
      withEnergy = energy != null;
      team.run(this);
      for (int member = 0; energy != null && member < energies.length; member++) {
        energy.add(energies[member].value());
        energies[member].reset();
      }
    }

    @Override
    public void share(int member) {
      updateAlone(
          field, start(member), start(member + 1), time, withEnergy ? energies[member] : null);
    }

    /**
     * Shares consist of whole blocks, so that energies are summed in the same blocks as on one
     * thread.
     */
    private int start(int member) {
      int blocks = (to - from) / CurlKernel.BLOCK;
      return member == team.size()
          ? to
          : from + CurlKernel.BLOCK * (int) ((long) blocks * member / team.size());
    }
  }

  /** Copies the values in front of the border faces from..to-1 into {@code buffer}. */
  abstract void packBorder(FieldKind field, int from, int to, double[] buffer);

  /** Copies received values into the ghosts behind the border faces from {@code from} on. */
  abstract void unpackBorder(FieldKind field, int from, double[] values);

  /**
   * Prepares an update of a field in the cells from..to-1: mirrors the other field at their walls,
   * and saves the old values that losses need.
   */
  abstract void prepareUpdate(FieldKind updated, int from, int to);

  /**
   * Advances H in the cells from..to-1.
   *
   * @param time of E
   */
  abstract void advanceH(int from, int to, double time);

  /** Advances H in the cells from..to-1, and adds the energy of these cells. */
  abstract void advanceH(int from, int to, double time, CompensatedSum energy);

  /**
   * Advances E in the cells from..to-1.
   *
   * @param time of H
   */
  abstract void advanceE(int from, int to, double time);

  // The fields

  /**
   * Sets a field to a formula: to its values at the barycentres or, for linear functions, to its L2
   * projection in each cell.
   */
  public abstract void set(FieldKind field, VectorField values);

  /**
   * Sets H half a step before time 0 if H is zero at time 0. To be called after one H update from H
   * = 0, whose result is twice the H half a step after time 0.
   */
  public final void reflectHalfStep() {
    double[] h = values(FieldKind.H);
    for (int k = 0; k < h.length; k++) {
      h[k] *= -0.5;
    }
    set(FieldKind.H, h);
  }

  /**
   * Returns a copy of a field's coefficients: {@link PolynomialOrder#cellValues} numbers per cell,
   * in the order of {@code mesh().globalCells()}.
   */
  public abstract double[] values(FieldKind field);

  /** Sets a field to coefficients that {@link #values} returned, in this or another division. */
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

  /** Stores the value of a field at a point (metres) of a cell into {@code value}. */
  public abstract void at(FieldKind field, int cell, double x, double y, double z, double[] value);

  /**
   * Stores the mean of a field over a face of a cell into {@code value}, from inside the cell or
   * from behind the face. For {@code behind}, the face must not be a wall.
   */
  abstract void onFace(FieldKind field, int cell, int face, boolean behind, double[] value);

  /**
   * Returns the vector w for which the inner product of w and {@link #values} of any E' is the
   * integral of {@code eps E' . E}.
   */
  abstract double[] weightedE();

  /**
   * Returns the errors of E against the mode at one time and of H at another (m); to be merged with
   * those of the other sub-domains.
   */
  public abstract FieldErrors errors(CavityMode mode, double timeOfE, double timeOfH);

  /** Returns the {@linkplain FieldChecksum checksum} of both fields. */
  public final long checksum() {
    return FieldChecksum.of(this);
  }

  /**
   * Copies a field into an array over the whole mesh, {@link PolynomialOrder#cellValues} numbers
   * per cell.
   */
  public final void gather(FieldKind field, double[] whole) {
    int n = order.cellValues();
    double[] source = values(field);
    for (int cell = 0; cell < cells; cell++) {
      System.arraycopy(source, n * cell, whole, n * mesh.globalCells()[cell], n);
    }
  }

  /** Describes the cell with the largest values, or the first one with a NaN. */
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

  /** Returns the time of the present E (m). */
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
