package org.troupe.em3d.maxwell;

import org.troupe.em3d.mesh.TetrahedralMesh;

/**
 * The method on a page: one mesh, one thread, no ghosts, no tricks. What the fast and divided
 * solvers compute must equal this to the last bit, so it adds the same terms in the same order.
 */
public final class SequentialSolver {

  private final TetrahedralMesh mesh;
  private final Medium[] media;
  private final double dt;

  /** Fields of the cells, V/m: E at full steps, H half a step before. */
  private final double[][] e;

  private final double[][] h;

  /** Starts with zero fields; dt is in metres. */
  public SequentialSolver(TetrahedralMesh mesh, Media media, double dt) {
    mesh.requireConductingWalls();
    this.mesh = mesh;
    this.media = media(mesh, media);
    this.dt = dt;
    e = new double[mesh.cells()][3];
    h = new double[mesh.cells()][3];
  }

  private static Medium[] media(TetrahedralMesh mesh, Media media) {
    Medium[] result = new Medium[mesh.cells()];
    for (int i = 0; i < result.length; i++) {
      result[i] =
          media.at(
              mesh.region(i), mesh.barycentre(i, 0), mesh.barycentre(i, 1), mesh.barycentre(i, 2));
    }
    return result;
  }

  /** The largest step (m) for which stability is proved, see {@link StepBound}. */
  public static double stableStepBound(TetrahedralMesh mesh, Media media) {
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

  /** Gives a field new values. */
  public void set(Field field, VectorField values) {
    double[][] target = field == Field.E ? e : h;
    for (int i = 0; i < target.length; i++) {
      values.at(mesh.barycentre(i, 0), mesh.barycentre(i, 1), mesh.barycentre(i, 2), target[i]);
    }
  }

  /** Advances H, then E. */
  public void step() {
    for (int i = 0; i < h.length; i++) {
      addCurl(i, e, -1, -dt / media[i].mu(), h[i]);
    }
    for (int i = 0; i < e.length; i++) {
      addCurl(i, h, 1, dt / media[i].epsilon(), e[i]);
    }
  }

  /**
   * Adds {@code factor} times the sum over three faces of N/2V x (F behind it - F behind the fourth
   * face).
   */
  private void addCurl(int i, double[][] field, double mirror, double factor, double[] target) {
    double[] last = behind(i, 3, field, mirror);
    double[][] terms = new double[3][3];
    for (int face = 0; face < 3; face++) {
      double[] other = behind(i, face, field, mirror);
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

  /** The neighbour's field; behind a wall E is mirrored with the opposite sign, H with the same. */
  private double[] behind(int i, int face, double[][] field, double mirror) {
    if (!mesh.isWall(i, face)) {
      return field[mesh.neighbour(i, face)];
    }
    return new double[] {mirror * field[i][0], mirror * field[i][1], mirror * field[i][2]};
  }

  /** A field on all cells: {@code [3 * cell + axis]}. */
  public double[] values(Field field) {
    double[] values = new double[3 * e.length];
    for (int i = 0; i < e.length; i++) {
      System.arraycopy((field == Field.E ? e : h)[i], 0, values, 3 * i, 3);
    }
    return values;
  }
}
