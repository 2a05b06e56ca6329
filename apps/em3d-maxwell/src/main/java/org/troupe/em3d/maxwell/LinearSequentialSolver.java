package org.troupe.em3d.maxwell;

import org.jspecify.annotations.Nullable;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;
import org.troupe.em3d.physics.VectorField;

/**
 * The reference implementation for fields that are linear in each cell, as the kernel {@code
 * LinearCurl} defines them: one mesh, one thread, no ghosts, and the same terms in the same order
 * as {@link LinearSubDomain}.
 */
public final class LinearSequentialSolver {

  private final TetrahedralMesh mesh;
  private final Physics physics;
  private final Medium[] media;
  private final LinearDamping[] dampingE;
  private final LinearDamping[] dampingH;
  private final double dt;
  private int steps;

  /**
   * Fields of the cells, V/m, {@code [cell][3 * vertex + axis]}: E at full steps, H half before.
   */
  private final double[][] e;

  private final double[][] h;

  /**
   * Starts with zero fields.
   *
   * @param dt the time step (m)
   */
  public LinearSequentialSolver(TetrahedralMesh mesh, Physics physics, double dt) {
    this.mesh = mesh;
    this.physics = physics;
    media = SequentialSolver.media(mesh, physics.media());
    dampingE = new LinearDamping[mesh.cells()];
    dampingH = new LinearDamping[mesh.cells()];
    for (int i = 0; i < mesh.cells(); i++) {
      dampingE[i] = damping(i, media[i].decay(), dt);
      dampingH[i] = damping(i, 0, dt);
    }
    this.dt = dt;
    e = new double[mesh.cells()][12];
    h = new double[mesh.cells()][12];
  }

  private @Nullable LinearDamping damping(int i, double decay, double dt) {
    double[] walls = null;
    for (int face = 0; face < 4; face++) {
      if (SequentialSolver.boundary(mesh, physics, i, face) == BoundaryCondition.ABSORBING) {
        walls = walls == null ? new double[144] : walls;
        LinearDamping.addWall(
            walls, face, SequentialSolver.weight(mesh, i, face), media[i].speed());
      }
    }
    if (walls == null && decay == 0) {
      return null;
    }
    LinearDamping damping =
        new LinearDamping(new int[1], new double[] {decay}, new double[][] {walls});
    damping.useStep(dt);
    return damping;
  }

  /** Returns the largest step (m) for which stability is proved, see {@link StepBound}. */
  public static double stableStepBound(TetrahedralMesh mesh, MediumMap media) {
    Medium[] medium = SequentialSolver.media(mesh, media);
    double[] widths = new double[mesh.cells()];
    for (int i = 0; i < widths.length; i++) {
      double[] areas = new double[4];
      for (int face = 0; face < 4; face++) {
        areas[face] = 2 * weight(mesh, i, face).length();
      }
      widths[i] = StepBound.linearWidth(areas);
    }
    double bound = Double.POSITIVE_INFINITY;
    for (int i = 0; i < mesh.cells(); i++) {
      for (int face = 0; face < 4; face++) {
        int k = mesh.isWall(i, face) ? i : mesh.neighbour(i, face);
        double speeds =
            Math.min(
                medium[i].epsilon() * medium[i].mu(),
                Math.min(
                    medium[i].epsilon() * medium[k].mu(), medium[k].epsilon() * medium[i].mu()));
        bound = Math.min(bound, 4 * (widths[i] * Math.sqrt(speeds)));
      }
    }
    return bound;
  }

  /** Sets a field to the L2 projection of these values on linear functions, cell by cell. */
  public void set(FieldKind field, VectorField values) {
    for (int i = 0; i < e.length; i++) {
      Quadrature.project(values, vertices(i), (field == FieldKind.E ? e : h)[i], 0);
    }
  }

  /** Advances H, then E. */
  public void step() {
    for (int i = 0; i < h.length; i++) {
      double[] old = h[i].clone();
      addCurl(i, e, 1, -dt / (3 * media[i].mu()), h[i]);
      addSources(i, FieldKind.H, steps * dt, h[i]);
      damp(dampingH[i], old, h[i]);
    }
    for (int i = 0; i < e.length; i++) {
      double[] old = e[i].clone();
      addCurl(i, h, -1, dt / (3 * media[i].epsilon()), e[i]);
      addSources(i, FieldKind.E, (steps + 0.5) * dt, e[i]);
      damp(dampingE[i], old, e[i]);
    }
    steps++;
  }

  private static void damp(@Nullable LinearDamping damping, double[] old, double[] field) {
    if (damping != null) {
      damping.saveOld(0, 1, old);
      damping.apply(0, 1, field);
    }
  }

  private void addSources(int i, FieldKind field, double time, double[] target) {
    for (FieldSource source : physics.sources()) {
      if (source instanceof FieldSource.Dipole dipole && field == FieldKind.E) {
        double[] current = LinearNonCurlTerms.current(dipole, vertices(i), media[i]);
        for (int k = 0; k < 12; k++) {
          target[k] += dt * dipole.pulse().slope(time) * current[k];
        }
      }
    }
    for (FieldSource source : physics.sources()) {
      if (source instanceof FieldSource.PlaneWave wave) {
        for (int face = 0; face < 4; face++) {
          if (SequentialSolver.boundary(mesh, physics, i, face) == BoundaryCondition.ABSORBING) {
            Vector3 w = SequentialSolver.weight(mesh, i, face);
            Vector3 given = field == FieldKind.E ? wave.toE(w, media[i]) : wave.toH(w, media[i]);
            addWave(i, face, wave, time, given, target);
          }
        }
      }
    }
  }

  private void addWave(
      int i, int face, FieldSource.PlaneWave wave, double time, Vector3 given, double[] target) {
    double[] strengths = new double[4];
    double sum = 0;
    for (int vertex = 0; vertex < 4; vertex++) {
      if (vertex != face) {
        strengths[vertex] = wave.pulse().at(time - wave.delay(Vector3.at(vertices(i), vertex)));
        sum += strengths[vertex];
      }
    }
    strengths[face] = -sum;
    for (int vertex = 0; vertex < 4; vertex++) {
      double strength = dt * (sum + 5 * strengths[vertex]) / 3;
      target[3 * vertex] += strength * given.x();
      target[3 * vertex + 1] += strength * given.y();
      target[3 * vertex + 2] += strength * given.z();
    }
  }

  /** Adds {@code factor (c + 5 d_j)} to each vertex j, see {@code LinearCurl}. */
  private void addCurl(int i, double[][] field, double sign, double factor, double[] target) {
    double[] own = field[i];
    double[] all = new double[3]; // c
    double[][] each = new double[4][3]; // d
    for (int face = 0; face < 4; face++) {
      double[][] other = behind(i, face, field, sign);
      double[] rest = new double[3];
      for (int axis = 0; axis < 3; axis++) {
        double sum = other[0][axis] + other[1][axis] + other[2][axis] + other[3][axis];
        double ownSum = own[axis] + own[3 + axis] + own[6 + axis] + own[9 + axis];
        rest[axis] = sum - own[3 * face + axis];
        other[face][axis] = ownSum - sum;
      }
      addCross(weight(mesh, i, face), rest, all);
      for (int vertex = 0; vertex < 4; vertex++) {
        addCross(weight(mesh, i, face), other[vertex], each[vertex]);
      }
    }
    for (int k = 0; k < 12; k++) {
      target[k] += factor * (all[k % 3] + 5 * each[k / 3][k % 3]);
    }
  }

  private static void addCross(Vector3 w, double[] vector, double[] target) {
    target[0] += w.y() * vector[2] - w.z() * vector[1];
    target[1] += w.z() * vector[0] - w.x() * vector[2];
    target[2] += w.x() * vector[1] - w.y() * vector[0];
  }

  /** Returns the vectors behind the vertices of a face; zero at the opposite vertex. */
  private double[][] behind(int i, int face, double[][] field, double sign) {
    double[][] result = new double[4][3];
    for (int vertex = 0; vertex < 4; vertex++) {
      for (int axis = 0; axis < 3 && vertex != face; axis++) {
        if (mesh.isWall(i, face)) {
          double mirror = sign * SequentialSolver.wallBoundary(mesh, physics, i, face).mirror();
          result[vertex][axis] = mirror * field[i][3 * vertex + axis];
        } else {
          int k = mesh.neighbour(i, face);
          result[vertex][axis] = field[k][3 * mesh.sameVertex(k, i, vertex) + axis];
        }
      }
    }
    return result;
  }

  /**
   * Returns the outward area vector of a face over twice the volume; that of the last face is minus
   * the sum of the others.
   */
  private static Vector3 weight(TetrahedralMesh mesh, int i, int face) {
    return face < 3
        ? SequentialSolver.weight(mesh, i, face)
        : SequentialSolver.weight(mesh, i, 0)
            .plus(SequentialSolver.weight(mesh, i, 1))
            .plus(SequentialSolver.weight(mesh, i, 2))
            .times(-1);
  }

  private double[] vertices(int i) {
    double[] x = new double[12];
    for (int k = 0; k < x.length; k++) {
      x[k] = mesh.coordinate(i, k / 3, k % 3);
    }
    return x;
  }

  /** Returns a field on all cells: {@code [12 * cell + 3 * vertex + axis]}. */
  public double[] values(FieldKind field) {
    double[] values = new double[12 * e.length];
    for (int i = 0; i < e.length; i++) {
      System.arraycopy((field == FieldKind.E ? e : h)[i], 0, values, 12 * i, 12);
    }
    return values;
  }
}
