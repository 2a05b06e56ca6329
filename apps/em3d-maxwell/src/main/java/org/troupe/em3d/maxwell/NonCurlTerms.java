package org.troupe.em3d.maxwell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.em3d.kernel.CellValues;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;

/** The terms of a sub-domain's field update besides the curl: walls, losses and sources. */
final class NonCurlTerms {

  private final int cells;
  private final int[] wallCells;
  private final double[] mirrors; // the ratio of E behind each wall face to E in front of it
  private final FieldDamping dampingE;
  private final FieldDamping dampingH;
  private final List<SourceTerm> sourceTermsE = new ArrayList<>();
  private final List<SourceTerm> sourceTermsH = new ArrayList<>();
  private double dt;

  /**
   * @param media of the cells
   */
  NonCurlTerms(PartMesh mesh, Medium[] media, Physics physics) {
    cells = mesh.cells();
    wallCells = mesh.wallCells();
    mirrors = new double[wallCells.length];
    List<Integer> open = new ArrayList<>();
    for (int wall = 0; wall < wallCells.length; wall++) {
      BoundaryCondition boundary = boundary(mesh, wall, physics);
      mirrors[wall] = boundary.mirror();
      if (boundary == BoundaryCondition.ABSORBING) {
        open.add(wall);
      }
    }
    int[] openWalls = open.stream().mapToInt(Integer::intValue).toArray();
    dampingH = damping(mesh, media, openWalls, false);
    dampingE = damping(mesh, media, openWalls, true);
    for (FieldSource source : physics.sources()) {
      switch (source) {
        case FieldSource.PlaneWave wave -> addPlaneWave(wave, mesh, media, openWalls);
        case FieldSource.Dipole dipole -> addDipole(dipole, mesh, media);
      }
    }
  }

  /** Returns the boundary condition of a wall face. */
  static BoundaryCondition boundary(PartMesh mesh, int wall, Physics physics) {
    String surface = mesh.wallNames().get(mesh.wallGroups()[wall]);
    double[] x = mesh.wallCentres();
    return physics.boundaries().at(surface, x[3 * wall], x[3 * wall + 1], x[3 * wall + 2]);
  }

  private static FieldDamping damping(
      PartMesh mesh, Medium[] media, int[] openWalls, boolean conducting) {
    BitSet isDamped = new BitSet(mesh.cells()); // often empty: saves an array over all cells
    for (int wall : openWalls) {
      isDamped.set(mesh.wallCells()[wall]);
    }
    for (int cell = 0; conducting && cell < media.length; cell++) {
      if (media[cell].conductivity() > 0) {
        isDamped.set(cell);
      }
    }
    int[] damped = isDamped.stream().toArray();
    double[] rates = new double[6 * damped.length];
    double[] w = mesh.wallWeights();
    for (int wall : openWalls) {
      int cell = mesh.wallCells()[wall];
      int at = 6 * Arrays.binarySearch(damped, cell);
      FieldDamping.addWall(
          rates, at, w[3 * wall], w[3 * wall + 1], w[3 * wall + 2], media[cell].speed());
    }
    for (int k = 0; conducting && k < damped.length; k++) {
      if (media[damped[k]].conductivity() > 0) {
        FieldDamping.addUniform(rates, 6 * k, media[damped[k]].decay());
      }
    }
    return new FieldDamping(damped, rates);
  }

  private void addPlaneWave(
      FieldSource.PlaneWave wave, PartMesh mesh, Medium[] media, int[] openWalls) {
    int[] where = new int[openWalls.length];
    double[] delays = new double[openWalls.length];
    double[] toE = new double[3 * openWalls.length];
    double[] toH = new double[3 * openWalls.length];
    Arrays.stream(openWalls)
        .mapToObj(wall -> Vector3.at(mesh.wallCentres(), wall))
        .min(Comparator.comparingDouble(wave::delay))
        .ifPresent(wave::requireNotYetAt);
    for (int k = 0; k < openWalls.length; k++) {
      where[k] = wallCells[openWalls[k]];
      Vector3 w = Vector3.at(mesh.wallWeights(), openWalls[k]);
      delays[k] = wave.delay(Vector3.at(mesh.wallCentres(), openWalls[k]));
      wave.toE(w, media[where[k]]).put(toE, k);
      wave.toH(w, media[where[k]]).put(toH, k);
    }
    sourceTermsE.add(new SourceTerm(wave.pulse()::at, where, delays, toE));
    sourceTermsH.add(new SourceTerm(wave.pulse()::at, where, delays, toH));
  }

  private void addDipole(FieldSource.Dipole dipole, PartMesh mesh, Medium[] media) {
    int[] where =
        IntStream.range(0, cells)
            .filter(cell -> dipole.reaches(Vector3.at(mesh.barycentres(), cell)))
            .toArray();
    double[] vectors = new double[3 * where.length];
    for (int k = 0; k < where.length; k++) {
      dipole.toE(Vector3.at(mesh.barycentres(), where[k]), media[where[k]]).put(vectors, k);
    }
    sourceTermsE.add(
        new SourceTerm(dipole.pulse()::slope, where, new double[where.length], vectors));
  }

  void useStep(double step) {
    dt = step;
    dampingE.useStep(step);
    dampingH.useStep(step);
  }

  /**
   * Prepares an update of a field: mirrors the other field at the walls of the cells from..to-1,
   * into the ghosts behind them.
   */
  void mirror(FieldKind updated, int from, int to, double[] other) {
    double sign = updated == FieldKind.H ? 1 : -1;
    int first = firstWall(wallCells, from);
    int ghost = 3 * (cells + first);
    for (int wall = first; wall < wallCells.length && wallCells[wall] < to; wall++) {
      double mirror = sign * mirrors[wall];
      int place = 3 * wallCells[wall];
      other[ghost] = mirror * other[place];
      other[ghost + 1] = mirror * other[place + 1];
      other[ghost + 2] = mirror * other[place + 2];
      ghost += 3;
    }
  }

  /** Returns the first wall of this cell or of a later one. */
  static int firstWall(int[] wallCells, int cell) {
    int low = 0;
    int high = wallCells.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (wallCells[middle] < cell) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Prepares an update of a field: saves the old values that {@link #apply} needs. */
  void saveOld(FieldKind updated, int from, int to, double[] field) {
    damping(updated).saveOld(from, to, field);
  }

  /**
   * Completes the update of the cells from..to-1, to which the curl has been added.
   *
   * @param time time of the other field, in the middle of the step
   */
  void apply(FieldKind updated, int from, int to, double time, double[] field) {
    for (SourceTerm term : updated == FieldKind.E ? sourceTermsE : sourceTermsH) {
      term.add(from, to, time, dt, field);
    }
    damping(updated).apply(from, to, field);
  }

  /**
   * Completes the update of H; returns the change of {@code 1/2 sum V mu H_old . H_new} by these
   * terms.
   */
  double applyWithEnergy(
      int from, int to, double time, double[] h, double[] volumes, CellValues mu) {
    double before = dampingH.overlap(from, to, h, volumes, mu);
    apply(FieldKind.H, from, to, time, h);
    return (dampingH.overlap(from, to, h, volumes, mu) - before) / 2;
  }

  private FieldDamping damping(FieldKind field) {
    return field == FieldKind.E ? dampingE : dampingH;
  }
}
