package org.troupe.em3d.maxwell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;

/**
 * Walls, losses and sources for fields that are linear in each cell; see {@link NonCurlTerms} for
 * constants.
 */
final class LinearNonCurlTerms {

  private final PartMesh mesh;
  private final LinearCells cells;
  private final Medium[] media;
  private final int[] wallVertices; // places of the three vertices of each wall face
  private final double[] mirrors; // the ratio of E behind each wall face to E in front of it
  private final LinearDamping dampingE;
  private final LinearDamping dampingH;
  private final List<SourceTerm> dipoles =
      new ArrayList<>(); // for E; the cells of a term are vertices here
  private final List<LinearWave> wavesE = new ArrayList<>();
  private final List<LinearWave> wavesH = new ArrayList<>();
  private double dt;

  LinearNonCurlTerms(PartMesh mesh, LinearCells cells, Medium[] media, Physics physics) {
    this.mesh = mesh;
    this.cells = cells;
    this.media = media;
    int[] wallCells = mesh.wallCells();
    mirrors = new double[wallCells.length];
    wallVertices = new int[3 * wallCells.length];
    List<Integer> open = new ArrayList<>();
    for (int wall = 0; wall < wallCells.length; wall++) {
      BoundaryCondition boundary = NonCurlTerms.boundary(mesh, wall, physics);
      mirrors[wall] = boundary.mirror();
      for (int k = 0; k < 3; k++) {
        int vertex = LinearCells.vertexOfFace(cells.wallFace(wall), k);
        wallVertices[3 * wall + k] = 12 * wallCells[wall] + 3 * vertex;
      }
      if (boundary == BoundaryCondition.ABSORBING) {
        open.add(wall);
      }
    }
    int[] openWalls = open.stream().mapToInt(Integer::intValue).toArray();
    dampingE = damping(openWalls, true);
    dampingH = damping(openWalls, false);
    for (FieldSource source : physics.sources()) {
      switch (source) {
        case FieldSource.PlaneWave wave -> addPlaneWave(wave, openWalls);
        case FieldSource.Dipole dipole -> addDipole(dipole);
      }
    }
  }

  private LinearDamping damping(int[] openWalls, boolean conducting) {
    double[][] walls = new double[mesh.cells()][];
    for (int wall : openWalls) {
      int cell = mesh.wallCells()[wall];
      if (walls[cell] == null) {
        walls[cell] = new double[144];
      }
      Vector3 w = Vector3.at(mesh.wallWeights(), wall);
      LinearDamping.addWall(walls[cell], cells.wallFace(wall), w, media[cell].speed());
    }
    double[] decays = new double[mesh.cells()];
    if (conducting) {
      Arrays.setAll(decays, cell -> media[cell].decay());
    }
    int[] damped =
        IntStream.range(0, mesh.cells())
            .filter(cell -> walls[cell] != null || decays[cell] > 0)
            .toArray();
    return new LinearDamping(
        damped,
        Arrays.stream(damped).mapToDouble(cell -> decays[cell]).toArray(),
        Arrays.stream(damped).mapToObj(cell -> walls[cell]).toArray(double[][]::new));
  }

  private void addPlaneWave(FieldSource.PlaneWave wave, int[] openWalls) {
    int[] where = new int[openWalls.length];
    int[] faces = new int[openWalls.length];
    double[] delays = new double[3 * openWalls.length];
    double[] toE = new double[3 * openWalls.length];
    double[] toH = new double[3 * openWalls.length];
    List<Vector3> points = new ArrayList<>();
    for (int k = 0; k < openWalls.length; k++) {
      int wall = openWalls[k];
      where[k] = mesh.wallCells()[wall];
      faces[k] = cells.wallFace(wall);
      for (int m = 0; m < 3; m++) {
        int vertex = LinearCells.vertexOfFace(faces[k], m);
        Vector3 point = Vector3.at(cells.vertices(where[k]), vertex);
        points.add(point);
        delays[3 * k + m] = wave.delay(point);
      }
      Vector3 w = Vector3.at(mesh.wallWeights(), wall);
      wave.toE(w, media[where[k]]).put(toE, k);
      wave.toH(w, media[where[k]]).put(toH, k);
    }
    points.stream().min(Comparator.comparingDouble(wave::delay)).ifPresent(wave::requireNotYetAt);
    wavesE.add(new LinearWave(wave.pulse(), where, faces, delays, toE));
    wavesH.add(new LinearWave(wave.pulse(), where, faces, delays, toH));
  }

  private void addDipole(FieldSource.Dipole dipole) {
    List<Integer> where = new ArrayList<>();
    List<double[]> found = new ArrayList<>();
    for (int cell = 0; cell < mesh.cells(); cell++) {
      double[] current = current(dipole, cells.vertices(cell), media[cell]);
      if (Arrays.stream(current).anyMatch(each -> each != 0)) {
        where.add(cell);
        found.add(current);
      }
    }
    int[] vertices = new int[4 * found.size()];
    double[] vectors = new double[12 * found.size()];
    for (int k = 0; k < found.size(); k++) {
      for (int vertex = 0; vertex < 4; vertex++) {
        vertices[4 * k + vertex] = 4 * where.get(k) + vertex;
      }
      System.arraycopy(found.get(k), 0, vectors, 12 * k, 12);
    }
    dipoles.add(
        new SourceTerm(dipole.pulse()::slope, vertices, new double[vertices.length], vectors));
  }

  /**
   * Returns the contribution of a dipole to dE/dt in a cell, divided by p': the L2 projection on
   * linear functions, as vectors at the four vertices.
   */
  static double[] current(FieldSource.Dipole dipole, double[] vertices, Medium medium) {
    double[] current = new double[12];
    Quadrature.project(
        (x, y, z, value) -> dipole.toE(new Vector3(x, y, z), medium).put(value, 0),
        vertices,
        current,
        0);
    return current;
  }

  void useStep(double step) {
    dt = step;
    dampingE.useStep(step);
    dampingH.useStep(step);
  }

  /**
   * Prepares an update of a field in the cells from..to-1: mirrors the other field at their walls,
   * and saves the old values that the damping needs.
   */
  void prepare(FieldKind updated, int from, int to, double[] field, double[] other) {
    double sign = updated == FieldKind.H ? 1 : -1;
    int first = 3 * NonCurlTerms.firstWall(mesh.wallCells(), from);
    int ghost = 12 * mesh.cells() + 3 * first;
    for (int k = first; k < wallVertices.length && mesh.wallCells()[k / 3] < to; k++) {
      double mirror = sign * mirrors[k / 3];
      int place = wallVertices[k];
      other[ghost] = mirror * other[place];
      other[ghost + 1] = mirror * other[place + 1];
      other[ghost + 2] = mirror * other[place + 2];
      ghost += 3;
    }
    (updated == FieldKind.E ? dampingE : dampingH).saveOld(from, to, field);
  }

  /**
   * Completes the update of the cells from..to-1, to which the curl has been added.
   *
   * @param time time of the other field, in the middle of the step
   */
  void apply(FieldKind updated, int from, int to, double time, double[] field) {
    if (updated == FieldKind.E) {
      for (SourceTerm dipole : dipoles) {
        dipole.add(4 * from, 4 * to, time, dt, field);
      }
      for (LinearWave wave : wavesE) {
        wave.add(from, to, time, dt, field);
      }
      dampingE.apply(from, to, field);
    } else {
      for (LinearWave wave : wavesH) {
        wave.add(from, to, time, dt, field);
      }
      dampingH.apply(from, to, field);
    }
  }
}
