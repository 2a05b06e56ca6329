package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.kernel.CellValues;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.kernel.CurlKernel;
import org.troupe.em3d.mesh.CellRanges;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.VectorField;

/** A sub-domain whose fields are constant in each cell: finite volumes. */
final class ConstantSubDomain extends SubDomain {

  private static final CurlKernel CURL = CurlKernel.fastest();

  private final CellValues epsilon;
  private final CellValues mu;
  private final NonCurlTerms nonCurlTerms;
  private @Nullable CellSweep sweep; // null before the first pass of a single thread

  /** Vectors of the cells, followed by those of the ghost cells: {@code [3 * slot + axis]}. */
  private final double[] e;

  private final double[] h;

  /**
   * The time step divided by the permittivity, and minus the time step divided by the permeability.
   */
  private CellValues factorsE = CellValues.same(0);

  private CellValues factorsH = CellValues.same(0);

  ConstantSubDomain(PartMesh mesh, Physics physics) {
    super(PolynomialOrder.CONSTANT, mesh, physics, widths(mesh));
    epsilon = CellValues.of(cells, cell -> media[cell].epsilon());
    mu = CellValues.of(cells, cell -> media[cell].mu());
    e = new double[3 * mesh.slots() + PartMesh.MARGIN];
    h = new double[3 * mesh.slots() + PartMesh.MARGIN];
    nonCurlTerms = new NonCurlTerms(mesh, media, physics);
  }

  private static double[] widths(PartMesh mesh) {
    double[] widths = new double[mesh.cells()];
    CellRanges.process(
        widths.length,
        (from, to) -> {
          for (int cell = from; cell < to; cell++) {
            widths[cell] = mesh.volumes()[cell] / mesh.surfaces()[cell];
          }
        });
    return widths;
  }

  @Override
  public String kernel() {
    return CURL.description();
  }

  @Override
  void prepare(double dt) {
    factorsE = CellValues.of(cells, cell -> dt / media[cell].epsilon());
    factorsH = CellValues.of(cells, cell -> -dt / media[cell].mu());
    nonCurlTerms.useStep(dt);
  }

  // Advancing

  @Override
  void packBorder(FieldKind field, int from, int to, double[] buffer) {
    double[] source = of(field);
    int[] borderCells = mesh.borderCells();
    int at = 0;
    for (int face = from; face < to; face++) {
      int place = 3 * borderCells[face];
      buffer[at] = source[place];
      buffer[at + 1] = source[place + 1];
      buffer[at + 2] = source[place + 2];
      at += 3;
    }
  }

  @Override
  void unpackBorder(FieldKind field, int from, double[] values) {
    System.arraycopy(values, 0, of(field), 3 * (mesh.firstBorderGhost() + from), values.length);
  }

  @Override
  void prepareUpdate(FieldKind updated, int from, int to) {
    nonCurlTerms.mirror(updated, from, to, updated == FieldKind.E ? h : e);
    nonCurlTerms.saveOld(updated, from, to, of(updated));
  }

  @Override
  void advanceH(int from, int to, double time) {
    CURL.add(from, to, mesh.neighbourPlaces(), mesh.curlWeights(), factorsH, e, h);
    nonCurlTerms.apply(FieldKind.H, from, to, time, h);
  }

  @Override
  void advanceH(int from, int to, double time, CompensatedSum energy) {
    CURL.addWithEnergy(
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
    energy.add(nonCurlTerms.applyWithEnergy(from, to, time, h, mesh.volumes(), mu));
  }

  @Override
  void advanceE(int from, int to, double time) {
    CURL.add(from, to, mesh.neighbourPlaces(), mesh.curlWeights(), factorsE, h, e);
    nonCurlTerms.apply(FieldKind.E, from, to, time, e);
  }

  @Override
  void advanceFirst(double timeOfE, double timeOfH, @Nullable CompensatedSum energy) {
    if (team().size() > 1) {
      super.advanceFirst(timeOfE, timeOfH, energy);
      return;
    }
    prepareUpdate(FieldKind.H, 0, mesh.innerCells());
    nonCurlTerms.saveOld(FieldKind.E, 0, mesh.innerCells(), e);
    sweep(0, sweep().blocks() / 2, timeOfE, timeOfH, energy);
  }

  private CellSweep sweep() {
    CellSweep made = sweep;
    if (made == null) {
      made = new CellSweep(mesh);
      sweep = made;
    }
    return made;
  }

  @Override
  void advanceRest(double timeOfE, double timeOfH, @Nullable CompensatedSum energy) {
    if (team().size() > 1) {
      super.advanceRest(timeOfE, timeOfH, energy);
      return;
    }
    int blocks = sweep().blocks();
    sweep(blocks / 2, blocks, timeOfE, timeOfH, energy);
    advanceRunsE(blocks, timeOfH);
  }

  private void sweep(
      int firstBlock,
      int endBlock,
      double timeOfE,
      double timeOfH,
      @Nullable CompensatedSum energy) {
    CellSweep order = sweep();
    for (int block = firstBlock; block < endBlock; block++) {
      int from = order.firstCell(block);
      int to = order.firstCell(block + 1);
      if (energy == null) {
        advanceH(from, to, timeOfE);
      } else {
        advanceH(from, to, timeOfE, energy);
      }
      nonCurlTerms.mirror(FieldKind.E, from, to, h);
      advanceRunsE(block, timeOfH);
    }
  }

  private void advanceRunsE(int block, double time) {
    CellSweep order = sweep();
    for (int run = order.firstRun(block); run < order.firstRun(block + 1); run++) {
      advanceE(order.from(run), order.to(run), time);
    }
  }

  // The fields

  @Override
  public void set(FieldKind field, VectorField values) {
    CellRanges.process(cells, (from, to) -> set(of(field), values, from, to));
  }

  private void set(double[] target, VectorField values, int from, int to) {
    double[] x = mesh.barycentres();
    double[] value = new double[3];
    for (int cell = from; cell < to; cell++) {
      values.at(x[3 * cell], x[3 * cell + 1], x[3 * cell + 2], value);
      System.arraycopy(value, 0, target, 3 * cell, 3);
    }
  }

  @Override
  public double[] values(FieldKind field) {
    return Arrays.copyOf(of(field), 3 * cells);
  }

  @Override
  void restore(FieldKind field, double[] values) {
    System.arraycopy(values, 0, of(field), 0, values.length);
  }

  @Override
  public double[] means(FieldKind field) {
    return values(field);
  }

  @Override
  public void at(FieldKind field, int cell, double x, double y, double z, double[] value) {
    System.arraycopy(of(field), 3 * cell, value, 0, 3);
  }

  @Override
  void onFace(FieldKind field, int cell, int face, boolean behind, double[] value) {
    int place = behind ? mesh.neighbourPlaces()[4 * cell + face] : 3 * cell;
    System.arraycopy(of(field), place, value, 0, 3);
  }

  @Override
  double[] weightedE() {
    double[] weighted = values(FieldKind.E);
    for (int k = 0; k < weighted.length; k++) {
      weighted[k] *= mesh.volumes()[k / 3] * epsilon.at(k / 3);
    }
    return weighted;
  }

  @Override
  public FieldErrors errors(CavityMode mode, double timeOfE, double timeOfH) {
    VectorField start = mode.electric(0);
    VectorField exactE = mode.electric(timeOfE);
    VectorField exactH = mode.magnetic(timeOfH);
    return CellRanges.answers(cells, (from, to) -> errors(start, exactE, exactH, from, to)).stream()
        .reduce(FieldErrors.NONE, FieldErrors::merge);
  }

  private FieldErrors errors(
      VectorField start, VectorField exactE, VectorField exactH, int from, int to) {
    double[] value = new double[3];
    double[] x = mesh.barycentres();
    FieldErrors.Sums sums = new FieldErrors.Sums();
    for (int cell = from; cell < to; cell++) {
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

  /** Returns the working array of a field: {@code [3 * slot + axis]}. */
  private double[] of(FieldKind field) {
    return field == FieldKind.E ? e : h;
  }
}
