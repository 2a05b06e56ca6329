package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.SourcePulse;
import org.troupe.em3d.physics.Vector3;

/**
 * Finds inputs that can be computed, but are probably mistakes: meshes with holes, sources that the
 * mesh cannot resolve.
 */
final class PlausibilityCheck {

  /*
   * With 4 cells per wavelength, the phase velocity of constants is about 15 % wrong, with 8 cells about 3 %; linear
   * functions need half as many. A dipole of as many cells as below leaves 10 % of the energy that it radiates in modes
   * of the size of cells, one of 20 cells ten times as much (order 1: half as much); see DipoleTest.
   */
  private static final double LEAST_CELLS_PER_WAVE = 4;

  private static final double LEAST_CELLS_PER_WAVE_LINEAR = 2;
  private static final int LEAST_CELLS_OF_BALL = 400;
  private static final int LEAST_CELLS_OF_BALL_LINEAR = 100;

  /** The part of the volume whose cells may be too large. */
  private static final double PART = 0.01;

  private final WholeMesh mesh;
  private final String name;
  private final PolynomialOrder order;
  private final MediumMap media;
  private final List<FieldSource> sources;

  private PlausibilityCheck(MaxwellProblem problem) {
    mesh = problem.whole();
    name = problem.mesh();
    order = problem.order();
    media = problem.physics().media();
    sources = problem.physics().sources();
  }

  /** Returns the warnings for a problem. */
  static List<String> of(MaxwellProblem problem) {
    return new PlausibilityCheck(problem).found();
  }

  private List<String> found() {
    List<String> found = new ArrayList<>();
    if (mesh instanceof TetrahedralMesh file) {
      checkConnection(file, found);
    }
    for (var source : sources) {
      checkWaves(source, found);
      if (source instanceof FieldSource.Dipole dipole) {
        checkBall(dipole, found);
      }
    }
    return found;
  }

  // The mesh

  /** Warns of outer faces in no physical surface, where a cell may be missing. */
  static void checkSurface(String name, TetrahedralMesh mesh, List<String> found) {
    var loose = 0;
    var all = 0;
    var first = -1;
    for (var place = 0; place < 4 * mesh.cells(); place++) {
      if (mesh.behind(place / 4, place % 4) >= 0) {
        continue;
      }
      all++;
      if (mesh.wall(place / 4, place % 4).isEmpty()) {
        first = loose == 0 ? place : first;
        loose++;
      }
    }
    if (loose > 0) {
      found.add(
          "%,d of the %,d outer faces of '%s' are in no physical surface and conduct (the first is at %s m); if cells are missing there, repair the mesh, else put the faces into a physical surface, or say in a problem what all others are, with <boundary is=\"pec\"/>"
              .formatted(loose, all, name, at(new MeshQuery(mesh).centre(first / 4, first % 4))));
    }
  }

  /** Warns of parts of the mesh that share no face, between which no wave propagates. */
  private void checkConnection(TetrahedralMesh file, List<String> found) {
    var connectivity = file.connectivity();
    if (connectivity.parts() > 1) {
      found.add(
          "the cells of '%s' are in %,d parts that share no face, so no wave goes from one to another; the smallest has %,d of %,d cells, one of them at %s m; where they are to touch, make the mesh conforming (in Gmsh: Coherence, or BooleanFragments)"
              .formatted(
                  name,
                  connectivity.parts(),
                  connectivity.least(),
                  file.cells(),
                  at(new MeshQuery(mesh).barycentre(connectivity.inLeast()))));
    }
  }

  // Sources

  private void checkWaves(FieldSource source, List<String> found) {
    var wave = shortestWave(source);
    var least =
        switch (order) {
          case CONSTANT -> LEAST_CELLS_PER_WAVE;
          case LINEAR -> LEAST_CELLS_PER_WAVE_LINEAR;
        };
    var coarse = 0.0;
    var all = 0.0;
    var fewest = Double.POSITIVE_INFINITY; // cells per wavelength
    for (var cell : differentCells().toArray()) {
      var volume = mesh.volume(cell);
      var medium = medium(cell);
      var cells = wave / (Math.cbrt(6 * volume) * Math.sqrt(medium.epsilon() * medium.mu()));
      all += volume;
      coarse += cells < least ? volume : 0;
      fewest = Math.min(fewest, cells);
    }
    if (coarse > PART * all) {
      found.add(
          "%s has waves of %s, for which %.0f %% of the mesh has fewer than %.0f cells (at worst %.2g): they arrive late, weakened and scattered; use a finer mesh, or a %s"
              .formatted(
                  words(source),
                  metres(wave),
                  100 * coarse / all,
                  least,
                  fewest,
                  source.pulse() instanceof SourcePulse.Wave
                      ? "lower frequency"
                      : "wider pulse"
                          + (order == PolynomialOrder.CONSTANT ? ", or --order 1" : "")));
    }
  }

  /** Returns all cells, or one cell if all are equal. */
  private IntStream differentCells() {
    return mesh instanceof CubeMesh && media instanceof MediumMap.Uniform
        ? IntStream.of(0)
        : IntStream.range(0, mesh.cells());
  }

  private Medium medium(int cell) {
    return media.at(
        mesh.region(cell),
        mesh.barycentre(cell, 0),
        mesh.barycentre(cell, 1),
        mesh.barycentre(cell, 2));
  }

  /**
   * Returns the shortest relevant wavelength of a source in vacuum (m): shorter waves carry a
   * twentieth of a pulse's energy. The radiation of a dipole is proportional to the second
   * derivative of its pulse, which emphasises high frequencies.
   */
  private static double shortestWave(FieldSource source) {
    return switch (source.pulse()) {
      case SourcePulse.Wave wave -> 2 * Math.PI / wave.omega();
      case SourcePulse.Gaussian pulse ->
          2 * Math.PI * pulse.width() / (source instanceof FieldSource.Dipole ? 3 : 2);
    };
  }

  private void checkBall(FieldSource.Dipole dipole, List<String> found) {
    var needed =
        order == PolynomialOrder.CONSTANT ? LEAST_CELLS_OF_BALL : LEAST_CELLS_OF_BALL_LINEAR;
    var cells = new MeshQuery(mesh).cellsWithin(dipole.centre(), dipole.radius()).length;
    if (cells < needed) {
      found.add(
          "%s is carried by %d cells; with fewer than %d, waves of the size of cells take up more than a tenth of the energy that it radiates, and stay around it; make its radius larger, or the mesh finer%s"
              .formatted(
                  words(dipole),
                  cells,
                  needed,
                  order == PolynomialOrder.CONSTANT ? ", or take --order 1" : ""));
    }
  }

  private static String words(FieldSource source) {
    return switch (source) {
      case FieldSource.PlaneWave wave -> "the plane wave along " + at(wave.direction());
      case FieldSource.Dipole dipole -> "the dipole at %s m".formatted(at(dipole.centre()));
    };
  }

  private static String metres(double length) {
    return length < 0.01 ? "%.3g mm".formatted(1e3 * length) : "%.3g m".formatted(length);
  }

  private static String at(Vector3 point) {
    return "(%.4g, %.4g, %.4g)".formatted(point.x(), point.y(), point.z());
  }
}
