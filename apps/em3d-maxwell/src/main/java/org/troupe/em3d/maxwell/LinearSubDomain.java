package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.kernel.LinearCurl;
import org.troupe.em3d.mesh.CellCorners;
import org.troupe.em3d.mesh.CellRanges;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;
import org.troupe.em3d.physics.VectorField;

/**
 * A sub-domain whose fields are linear in each cell: discontinuous Galerkin with centred fluxes.
 *
 * <p>L. Fezoui, S. Lanteri, S. Lohrengel, S. Piperno, Convergence and stability of a discontinuous
 * Galerkin time-domain method for the 3D heterogeneous Maxwell equations on unstructured meshes,
 * ESAIM M2AN 39 (2005) 1149-1176.
 */
final class LinearSubDomain extends SubDomain {

  private static final int N = 12; // numbers of a field in a cell
  private static final int BLOCK =
      64; // cells whose energies are added without compensation, see CurlKernel

  private final LinearCells geometry;
  private final int[] places;
  private final int[] borderPlaces;
  private final LinearNonCurlTerms nonCurlTerms;

  /**
   * Vectors at the vertices of the cells, followed by those of the ghosts: {@code [12 * cell + 3 *
   * vertex]}.
   */
  private final double[] e;

  private final double[] h;

  /**
   * For each cell: a third of the time step divided by the permittivity, and minus a third of the
   * step divided by the permeability.
   */
  private final double[] factorsE;

  private final double[] factorsH;

  LinearSubDomain(PartMesh mesh, CellCorners corners, Physics physics) {
    super(PolynomialOrder.LINEAR, mesh, physics, widths(mesh));
    geometry = new LinearCells(this.mesh, corners);
    places = geometry.places();
    borderPlaces = geometry.borderPlaces();
    e = new double[geometry.fieldLength()];
    h = new double[geometry.fieldLength()];
    factorsE = new double[cells];
    factorsH = new double[cells];
    nonCurlTerms = new LinearNonCurlTerms(mesh, geometry, media, physics);
  }

  private static double[] widths(PartMesh mesh) {
    double[] widths = new double[mesh.cells()];
    for (int cell = 0; cell < widths.length; cell++) {
      double[] areas = new double[4];
      for (int face = 0; face < 4; face++) {
        areas[face] = 2 * faceWeight(mesh, cell, face).length();
      }
      widths[cell] = StepBound.linearWidth(areas);
    }
    return widths;
  }

  @Override
  public String kernel() {
    return "scalar (order 1 has no vectors)";
  }

  @Override
  void prepare(double dt) {
    for (int cell = 0; cell < cells; cell++) {
      factorsE[cell] = dt / (3 * media[cell].epsilon());
      factorsH[cell] = -dt / (3 * media[cell].mu());
    }
    nonCurlTerms.useStep(dt);
  }

  // Advancing

  @Override
  void packBorder(FieldKind field, int from, int to, double[] buffer) {
    double[] source = of(field);
    int at = 0;
    for (int k = 3 * from; k < 3 * to; k++) {
      int place = borderPlaces[k];
      buffer[at] = source[place];
      buffer[at + 1] = source[place + 1];
      buffer[at + 2] = source[place + 2];
      at += 3;
    }
  }

  @Override
  void unpackBorder(FieldKind field, int from, double[] values) {
    System.arraycopy(values, 0, of(field), geometry.borderGhost(from), values.length);
  }

  @Override
  void prepareUpdate(FieldKind updated, int from, int to) {
    nonCurlTerms.prepare(updated, from, to, of(updated), updated == FieldKind.E ? h : e);
  }

  @Override
  void advanceH(int from, int to, double time) {
    LinearCurl.add(from, to, places, mesh.curlWeights(), factorsH, e, h);
    nonCurlTerms.apply(FieldKind.H, from, to, time, h);
  }

  @Override
  void advanceH(int from, int to, double time, CompensatedSum energy) {
    double[] oldH = new double[N * BLOCK]; // allocated by each thread of the team
    for (int start = from; start < to; start += BLOCK) {
      int end = Math.min(start + BLOCK, to);
      System.arraycopy(h, N * start, oldH, 0, N * (end - start));
      advanceH(start, end, time);
      double doubled = 0;
      for (int cell = start; cell < end; cell++) {
        Medium medium = media[cell];
        doubled +=
            mesh.volumes()[cell]
                * (medium.epsilon() * meanProduct(e, N * cell, e, N * cell)
                    + medium.mu() * meanProduct(oldH, N * (cell - start), h, N * cell));
      }
      energy.add(doubled / 2);
    }
  }

  /** Returns the mean over a cell of the inner product of two functions. */
  private static double meanProduct(double[] f, int atF, double[] g, int atG) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
      double ofF = 0;
      double ofG = 0;
      for (int k = axis; k < N; k += 3) {
        sum += f[atF + k] * g[atG + k];
        ofF += f[atF + k];
        ofG += g[atG + k];
      }
      sum += ofF * ofG;
    }
    return sum / 20;
  }

  @Override
  void advanceE(int from, int to, double time) {
    LinearCurl.add(from, to, places, mesh.curlWeights(), factorsE, h, e);
    nonCurlTerms.apply(FieldKind.E, from, to, time, e);
  }

  // The fields

  @Override
  public void set(FieldKind field, VectorField values) {
    CellRanges.process(
        cells,
        (from, to) -> {
          for (int cell = from; cell < to; cell++) {
            Quadrature.project(values, geometry.vertices(cell), of(field), N * cell);
          }
        });
  }

  @Override
  public double[] values(FieldKind field) {
    return Arrays.copyOf(of(field), N * cells);
  }

  @Override
  void restore(FieldKind field, double[] values) {
    System.arraycopy(values, 0, of(field), 0, values.length);
  }

  @Override
  public double[] means(FieldKind field) {
    double[] source = of(field);
    double[] means = new double[3 * cells];
    for (int cell = 0; cell < cells; cell++) {
      for (int axis = 0; axis < 3; axis++) {
        int at = N * cell + axis;
        means[3 * cell + axis] =
            (source[at] + source[at + 3] + source[at + 6] + source[at + 9]) / 4;
      }
    }
    return means;
  }

  @Override
  public void at(FieldKind field, int cell, double x, double y, double z, double[] value) {
    double[] source = of(field);
    double[] centre = mesh.barycentres();
    double dx = x - centre[3 * cell];
    double dy = y - centre[3 * cell + 1];
    double dz = z - centre[3 * cell + 2];
    Arrays.fill(value, 0, 3, 0);
    for (int vertex = 0; vertex < 4; vertex++) {
      Vector3 w = faceWeight(mesh, cell, vertex);
      double share = 0.25 - (w.x() * dx + w.y() * dy + w.z() * dz) * 2 / 3;
      for (int axis = 0; axis < 3; axis++) {
        value[axis] += share * source[N * cell + 3 * vertex + axis];
      }
    }
  }

  @Override
  void onFace(FieldKind field, int cell, int face, boolean behind, double[] value) {
    double[] source = of(field);
    Arrays.fill(value, 0, 3, 0);
    for (int k = 0; k < 3; k++) {
      int place =
          behind
              ? places[N * cell + 3 * face + k]
              : N * cell + 3 * LinearCells.vertexOfFace(face, k);
      for (int axis = 0; axis < 3; axis++) {
        value[axis] += source[place + axis] / 3;
      }
    }
  }

  @Override
  double[] weightedE() {
    double[] weighted = values(FieldKind.E);
    double[] means = means(FieldKind.E);
    for (int k = 0; k < weighted.length; k++) {
      int cell = k / N;
      double share = mesh.volumes()[cell] * media[cell].epsilon() / 20;
      weighted[k] = share * (weighted[k] + 4 * means[3 * cell + k % 3]);
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
    double[] exact = new double[3];
    double[] computed = new double[3];
    double[] x = new double[3];
    FieldErrors.Sums sums = new FieldErrors.Sums();
    for (int cell = from; cell < to; cell++) {
      double[] vertices = geometry.vertices(cell);
      for (int point = 0; point < Quadrature.POINTS; point++) {
        double share = mesh.volumes()[cell] * Quadrature.weight(point);
        Quadrature.interpolate(point, vertices, 0, x);
        exactE.at(x[0], x[1], x[2], exact);
        Quadrature.interpolate(point, e, N * cell, computed);
        sums.addE(share, computed, 0, exact);
        exactH.at(x[0], x[1], x[2], exact);
        Quadrature.interpolate(point, h, N * cell, computed);
        sums.addH(share, computed, 0, exact);
        start.at(x[0], x[1], x[2], exact);
        sums.addStart(share, exact);
      }
    }
    return sums.total();
  }

  /** Returns the working array of a field. */
  private double[] of(FieldKind field) {
    return field == FieldKind.E ? e : h;
  }
}
