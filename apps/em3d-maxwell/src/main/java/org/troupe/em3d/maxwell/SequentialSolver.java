package org.troupe.em3d.maxwell;

import java.util.Arrays;
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
 * The reference implementation on one page: one mesh, one thread, no ghosts, no optimisation. The
 * results of the optimised and divided solvers must be equal to the last bit, so all add the same
 * terms in the same order.
 */
public final class SequentialSolver {

  private final TetrahedralMesh mesh;
  private final Physics physics;
  private final Medium[] media;
  private final FieldDamping[] dampingE; // null in cells without losses
  private final FieldDamping[] dampingH;
  private final double dt;
  private int steps;

  /** Fields of the cells, V/m: E at full steps, H half a step before. */
  private final double[][] e;

  private final double[][] h;

  /**
   * Starts with zero fields.
   *
   * @param dt the time step (m)
   */
  public SequentialSolver(TetrahedralMesh mesh, Physics physics, double dt) {
    this.mesh = mesh;
    this.physics = physics;
    media = media(mesh, physics.media());
    dampingE = new FieldDamping[mesh.cells()];
    dampingH = new FieldDamping[mesh.cells()];
    for (int i = 0; i < mesh.cells(); i++) {
      dampingE[i] = damping(i, media[i].decay(), dt);
      dampingH[i] = damping(i, 0, dt);
    }
    this.dt = dt;
    e = new double[mesh.cells()][3];
    h = new double[mesh.cells()][3];
  }

  static Medium[] media(TetrahedralMesh mesh, MediumMap media) {
    Medium[] result = new Medium[mesh.cells()];
    for (int i = 0; i < result.length; i++) {
      result[i] =
          media.at(
              mesh.region(i), mesh.barycentre(i, 0), mesh.barycentre(i, 1), mesh.barycentre(i, 2));
    }
    return result;
  }

  private @Nullable FieldDamping damping(int i, double decay, double dt) {
    double[] rates = new double[6];
    for (int face = 0; face < 4; face++) {
      if (boundary(i, face) == BoundaryCondition.ABSORBING) {
        Vector3 w = weight(i, face);
        FieldDamping.addWall(rates, 0, w.x(), w.y(), w.z(), media[i].speed());
      }
    }
    FieldDamping.addUniform(rates, 0, decay);
    FieldDamping damping = new FieldDamping(new int[1], rates);
    damping.useStep(dt);
    return Arrays.stream(rates).allMatch(rate -> rate == 0) ? null : damping;
  }

  /** Returns the largest step (m) for which stability is proved, see {@link StepBound}. */
  public static double stableStepBound(TetrahedralMesh mesh, MediumMap media) {
    Medium[] medium = media(mesh, media);
    double bound = Double.POSITIVE_INFINITY;
    for (int i = 0; i < mesh.cells(); i++) {
      for (int face = 0; face < 4; face++) {
        int k = mesh.isWall(i, face) ? i : mesh.neighbour(i, face);
        double product =
            Math.min(medium[i].epsilon() * medium[k].mu(), medium[k].epsilon() * medium[i].mu());
        double widths = mesh.volume(i) / mesh.surface(i) * (mesh.volume(k) / mesh.surface(k));
        bound = Math.min(bound, 4 * Math.sqrt(product * widths));
      }
    }
    return bound;
  }

  /** Sets a field to these values at the barycentres. */
  public void set(FieldKind field, VectorField values) {
    double[][] target = field == FieldKind.E ? e : h;
    for (int i = 0; i < target.length; i++) {
      values.at(mesh.barycentre(i, 0), mesh.barycentre(i, 1), mesh.barycentre(i, 2), target[i]);
    }
  }

  /** Advances H, then E. */
  public void step() {
    for (int i = 0; i < h.length; i++) {
      double[] old = h[i].clone();
      addCurl(i, e, 1, -dt / media[i].mu(), h[i]);
      addSources(i, FieldKind.H, steps * dt);
      damp(dampingH[i], old, h[i]);
    }
    for (int i = 0; i < e.length; i++) {
      double[] old = e[i].clone();
      addCurl(i, h, -1, dt / media[i].epsilon(), e[i]);
      addSources(i, FieldKind.E, (steps + 0.5) * dt);
      damp(dampingE[i], old, e[i]);
    }
    steps++;
  }

  private static void damp(@Nullable FieldDamping damping, double[] old, double[] field) {
    if (damping != null) {
      damping.saveOld(0, 1, old);
      damping.apply(0, 1, field);
    }
  }

  private void addSources(int i, FieldKind field, double time) {
    for (FieldSource source : physics.sources()) {
      switch (source) {
        case FieldSource.Dipole dipole -> {
          if (field == FieldKind.E && dipole.reaches(barycentre(i))) {
            add(dipole.toE(barycentre(i), media[i]), dt * dipole.pulse().slope(time), e[i]);
          }
        }
        case FieldSource.PlaneWave wave -> {
          for (int face = 0; face < 4; face++) {
            if (boundary(i, face) == BoundaryCondition.ABSORBING) {
              Vector3 w = weight(i, face);
              double strength = dt * wave.pulse().at(time - wave.delay(centre(i, face)));
              if (field == FieldKind.E) {
                add(wave.toE(w, media[i]), strength, e[i]);
              } else {
                add(wave.toH(w, media[i]), strength, h[i]);
              }
            }
          }
        }
      }
    }
  }

  private static void add(Vector3 vector, double factor, double[] target) {
    target[0] += factor * vector.x();
    target[1] += factor * vector.y();
    target[2] += factor * vector.z();
  }

  /**
   * Adds {@code factor} times the sum over three faces of N/2V x (F behind it - F behind the fourth
   * face).
   */
  private void addCurl(int i, double[][] field, double sign, double factor, double[] target) {
    double[] last = behind(i, 3, field, sign);
    double[][] terms = new double[3][3];
    for (int face = 0; face < 3; face++) {
      double[] other = behind(i, face, field, sign);
      for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        terms[axis][face] =
            weight(i, face, u) * (other[v] - last[v]) - weight(i, face, v) * (other[u] - last[u]);
      }
    }
    for (int axis = 0; axis < 3; axis++) {
      target[axis] += factor * (terms[axis][0] + terms[axis][1] + terms[axis][2]);
    }
  }

  private double weight(int i, int face, int axis) {
    return mesh.area(i, face, axis) / (2 * mesh.volume(i));
  }

  private Vector3 weight(int i, int face) {
    return weight(mesh, i, face);
  }

  /** Returns the outward area vector of a face over twice the cell's volume. */
  static Vector3 weight(TetrahedralMesh mesh, int i, int face) {
    double twice = 2 * mesh.volume(i);
    return new Vector3(
        mesh.area(i, face, 0) / twice,
        mesh.area(i, face, 1) / twice,
        mesh.area(i, face, 2) / twice);
  }

  private Vector3 barycentre(int i) {
    return new Vector3(mesh.barycentre(i, 0), mesh.barycentre(i, 1), mesh.barycentre(i, 2));
  }

  private Vector3 centre(int i, int face) {
    return new Vector3(mesh.centre(i, face, 0), mesh.centre(i, face, 1), mesh.centre(i, face, 2));
  }

  private @Nullable BoundaryCondition boundary(int i, int face) {
    return boundary(mesh, physics, i, face);
  }

  /** Returns the boundary condition of a face; null for a face between two cells. */
  static @Nullable BoundaryCondition boundary(
      TetrahedralMesh mesh, Physics physics, int i, int face) {
    return mesh.isWall(i, face) ? wallBoundary(mesh, physics, i, face) : null;
  }

  /** Returns the boundary condition of a wall face. */
  static BoundaryCondition wallBoundary(TetrahedralMesh mesh, Physics physics, int i, int face) {
    return physics
        .boundaries()
        .at(
            mesh.wall(i, face),
            mesh.centre(i, face, 0),
            mesh.centre(i, face, 1),
            mesh.centre(i, face, 2));
  }

  /**
   * Returns the neighbour's field. Behind a wall, E is mirrored by the boundary condition, and H
   * with the opposite sign.
   */
  private double[] behind(int i, int face, double[][] field, double sign) {
    if (!mesh.isWall(i, face)) {
      return field[mesh.neighbour(i, face)];
    }
    double mirror = sign * wallBoundary(mesh, physics, i, face).mirror();
    return new double[] {mirror * field[i][0], mirror * field[i][1], mirror * field[i][2]};
  }

  /** Returns a field on all cells: {@code [3 * cell + axis]}. */
  public double[] values(FieldKind field) {
    double[] values = new double[3 * e.length];
    for (int i = 0; i < e.length; i++) {
      System.arraycopy((field == FieldKind.E ? e : h)[i], 0, values, 3 * i, 3);
    }
    return values;
  }
}
