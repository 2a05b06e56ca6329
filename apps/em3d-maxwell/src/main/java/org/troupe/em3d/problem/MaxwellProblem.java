package org.troupe.em3d.problem;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.maxwell.DipoleDiscretization;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.GmshReader;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.BoundaryMap;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.state.RunCheckpoint;

/**
 * A problem: a mesh, its physics and initial fields, and the way to divide it.
 *
 * @param mesh the mesh as the user named it
 * @param fingerprint identifies the mesh
 * @param whole the undivided mesh
 * @param setup physics, initial fields, monitors and outputs
 * @param order the polynomial order of the fields
 */
public record MaxwellProblem(
    String mesh,
    long cells,
    long fingerprint,
    WholeMesh whole,
    ProblemSetup setup,
    PolynomialOrder order,
    Partitioning partitioning) {

  private static final MediumMap VACUUM = MediumMap.uniform(Medium.VACUUM);
  private static final String CUBE = "cube:";
  private static final int FEWEST_POINTS = 2;
  private static final int MOST_POINTS = 710; // limited by the number of cells, which is an int
  private static final double GEOMETRIC_TOLERANCE = 1e-9;

  /**
   * A divided mesh.
   *
   * @param division the division of a cube, for messages; empty for a mesh from a file
   * @param partitioner description of the partitioner; empty for a cube
   * @param parts one for each sub-domain, in rank order
   */
  public record Partition(String division, String partitioner, List<? extends MeshPart> parts) {}

  /** The way to divide a mesh among nodes. */
  private sealed interface Partitioning {

    /** A fixed division for any number of nodes. */
    record Fixed(Partition partition) implements Partitioning {}

    /** One sub-domain per node, if that makes the largest one smaller. */
    record Cube(int points) implements Partitioning {}

    /** One sub-domain per node. */
    record Whole(TetrahedralMesh mesh, MeshPartitioner partitioner) implements Partitioning {}
  }

  /**
   * Reads a mesh and returns the default problem on it.
   *
   * @param mesh {@code cube:N} with N points per axis, or a Gmsh file
   * @param division {@code AxBxC} for a cube, or {@code auto}
   * @param subDomains the number of sub-domains with {@code auto}; {@code null}: chosen for the
   *     nodes
   * @param partitioner the partitioner of a mesh from a file
   * @param reading receives the fraction of the file that has been read, from 0 to 1
   * @throws IllegalArgumentException or {@link org.troupe.em3d.mesh.MeshException} if the mesh or
   *     the division is not valid; the message names the remedy
   */
  public static MaxwellProblem of(
      String mesh,
      String division,
      @Nullable Integer subDomains,
      MeshPartitioner partitioner,
      DoubleConsumer reading) {
    requireDivisible(mesh, division);
    var whole = mesh(mesh, reading);
    return of(mesh, whole, usual(mesh, whole), division, subDomains, partitioner);
  }

  /** Reads a mesh and returns the default problem on it, with the default partitioner. */
  public static MaxwellProblem of(String mesh, String division, @Nullable Integer subDomains) {
    return of(mesh, division, subDomains, MeshPartitioner.AUTO, read -> {});
  }

  /**
   * Returns a problem on a mesh that has been read.
   *
   * @param mesh the name of the mesh
   */
  public static MaxwellProblem of(
      String mesh,
      WholeMesh whole,
      ProblemSetup setup,
      String division,
      @Nullable Integer subDomains,
      MeshPartitioner partitioner) {
    requireDivisible(mesh, division);
    return switch (whole) {
      case CubeMesh cube ->
          new MaxwellProblem(
              mesh,
              cube.cells(),
              fingerprint(cube),
              cube,
              setup,
              PolynomialOrder.CONSTANT,
              partitioningOfCube(cube.points(), division, subDomains));
      case TetrahedralMesh file ->
          new MaxwellProblem(
              mesh,
              file.cells(),
              fingerprint(file),
              file,
              setup,
              PolynomialOrder.CONSTANT,
              subDomains == null
                  ? new Partitioning.Whole(file, partitioner)
                  : new Partitioning.Fixed(partition(file, subDomains, partitioner)));
    };
  }

  /** Returns a number that identifies a mesh independently of its file name. */
  static long fingerprint(WholeMesh mesh) {
    return switch (mesh) {
      case CubeMesh cube -> -cube.points(); // no fingerprint of a file is negative
      case TetrahedralMesh file -> file.fingerprint();
    };
  }

  /** Checked before a long file is read. */
  private static void requireDivisible(String mesh, String division) {
    if (!mesh.startsWith(CUBE) && !division.equals("auto")) {
      throw new IllegalArgumentException(
          "division '"
              + division
              + "' is for cubes; a mesh from a file is divided by a partitioner: leave --division"
              + " out, and say --subdomains N for another number of parts");
    }
  }

  /** Reads a mesh: {@code cube:N} or a file. */
  public static WholeMesh mesh(String mesh, DoubleConsumer reading) {
    if (mesh.startsWith(CUBE)) {
      return new CubeMesh(points(mesh));
    }
    if (!mesh.endsWith(".msh") && !Files.exists(Path.of(mesh))) {
      throw new IllegalArgumentException(
          "mesh '" + mesh + "' is neither a cube, as cube:33, nor a file of Gmsh, as sphere.msh");
    }
    return GmshReader.read(Path.of(mesh), reading);
  }

  private static int points(String mesh) {
    int points;
    try {
      points = Integer.parseInt(mesh.substring(CUBE.length()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "mesh '" + mesh + "' has no number of points; write cube:33 for 33 points per axis");
    }
    if (points < FEWEST_POINTS || points > MOST_POINTS) {
      throw new IllegalArgumentException(
          "mesh '%s': a cube has %d to %d points per axis"
              .formatted(mesh, FEWEST_POINTS, MOST_POINTS));
    }
    return points;
  }

  /** Returns the default problem on a mesh. */
  private static ProblemSetup usual(String mesh, WholeMesh whole) {
    return switch (whole) {
      case CubeMesh cube ->
          ProblemSetup.usual(Physics.cavity(VACUUM), new InitialFields.Cavity(1, 1, 1), List.of());
      case TetrahedralMesh file -> {
        var physics = physics(mesh, file);
        List<String> warnings = new ArrayList<>();
        PlausibilityCheck.checkSurface(mesh, file, warnings);
        if (isUnitCube(file) && conducts(file, physics.boundaries())) {
          yield ProblemSetup.usual(physics, new InitialFields.Cavity(1, 1, 1), warnings);
        }
        warnings.add(
            "'%s' is not the closed unit cube (its volume is %.6g m3), so the run begins at rest with the field of the unit sphere's lowest mode, and its error is not known; a problem file may say another start"
                .formatted(mesh, file.volume()));
        yield ProblemSetup.usual(physics, new InitialFields.AtRest(), warnings);
      }
    };
  }

  private static Partitioning partitioningOfCube(
      int points, String division, @Nullable Integer subDomains) {
    if (!division.equals("auto")) {
      return new Partitioning.Fixed(cube(points, CubeDivision.parse(division)));
    }
    return subDomains == null
        ? new Partitioning.Cube(points)
        : new Partitioning.Fixed(cube(points, CubeDivision.auto(subDomains, points)));
  }

  private static Partition cube(int points, CubeDivision division) {
    return new Partition(division.toString(), "", CubePart.all(points, division));
  }

  private static Physics physics(String mesh, TetrahedralMesh whole) {
    try {
      var boundaries = BoundaryMap.byName(whole.wallGroups().keySet());
      return new Physics(VACUUM, boundaries, List.of());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("mesh '" + mesh + "': " + e.getMessage(), e);
    }
  }

  private static Partition partition(
      TetrahedralMesh whole, int parts, MeshPartitioner partitioner) {
    var division = whole.divide(parts, partitioner);
    return new Partition("", division.partitioner(), division.parts());
  }

  /**
   * Returns this problem with fields of another order; the default is {@link
   * PolynomialOrder#CONSTANT}.
   */
  public MaxwellProblem withOrder(PolynomialOrder other) {
    return new MaxwellProblem(mesh, cells, fingerprint, whole, setup, other, partitioning);
  }

  /** Returns this problem without expected results. */
  public MaxwellProblem withoutExpectations() {
    return new MaxwellProblem(
        mesh, cells, fingerprint, whole, setup.withoutExpectations(), order, partitioning);
  }

  /** Returns whether energy may leave through walls. */
  public boolean isOpen() {
    // The coordinates do not matter: a condition holds for a whole physical surface.
    return physics().boundaries().at("", 0, 0, 0) == BoundaryCondition.ABSORBING
        || whole.surfaceGroups().stream()
            .anyMatch(
                group -> physics().boundaries().at(group, 0, 0, 0) == BoundaryCondition.ABSORBING);
  }

  /** Returns the stability bound of the time step (m), which equals that of the sub-domains. */
  public double stepBound() {
    return new MeshQuery(whole).stepBound(order, physics().media());
  }

  /** Returns the option that names this problem, or its mesh if there is none. */
  public String description() {
    return setup.name().isEmpty() ? mesh : "--problem " + setup.name();
  }

  /** Returns warnings of inputs that can be computed, but are probably mistakes. */
  public List<String> warnings() {
    return Stream.concat(setup.warnings().stream(), PlausibilityCheck.of(this).stream()).toList();
  }

  public Physics physics() {
    return setup.physics();
  }

  /** Returns the physics with its dipoles normalised on the mesh. */
  public Physics physicsOnMesh() {
    return DipoleDiscretization.on(whole, order, setup.physics());
  }

  public InitialFields start() {
    return setup.start();
  }

  /** Returns whether the mesh fills the cube from 0 to 1, whose modes are known. */
  static boolean isUnitCube(TetrahedralMesh mesh) {
    if (Math.abs(mesh.volume() - 1) > GEOMETRIC_TOLERANCE) {
      return false;
    }
    for (var cell = 0; cell < mesh.cells(); cell++) {
      for (var axis = 0; axis < 3; axis++) {
        var at = mesh.barycentre(cell, axis);
        if (at < 0 || at > 1) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns whether all surfaces are perfect conductors. */
  private static boolean conducts(TetrahedralMesh mesh, BoundaryMap boundaries) {
    return mesh.wallGroups().keySet().stream()
        .allMatch(surface -> boundaries.at(surface, 0, 0, 0) == BoundaryCondition.PEC);
  }

  /** Returns the best division for this number of nodes; it need not use all of them. */
  public Partition partition(int nodes) {
    return switch (partitioning) {
      case Partitioning.Fixed(Partition partition) -> partition;
      case Partitioning.Cube(int points) -> cube(points, CubeDivision.forNodes(nodes, points));
      case Partitioning.Whole(TetrahedralMesh whole, MeshPartitioner partitioner) ->
          partition(whole, Math.min(nodes, whole.cells()), partitioner);
    };
  }

  /** Returns the share of the work of the busiest node among this number of nodes. */
  public double largestShare(int nodes) {
    return switch (partitioning) {
      case Partitioning.Fixed(Partition partition) -> {
        var parts = partition.parts().size();
        yield (double) ((parts + nodes - 1) / nodes) / parts;
      }
      case Partitioning.Cube(int points) ->
          6.0 * CubeDivision.forNodes(nodes, points).largest(points) / cells;
      case Partitioning.Whole whole -> 1.0 / Math.min(nodes, cells);
    };
  }

  /**
   * Returns the identification of a run of this problem in its saved states.
   *
   * @param cfl the time step as a fraction of the proved bound
   */
  public RunCheckpoint.Run checkpointRun(double cfl) {
    return new RunCheckpoint.Run(
        description(), fingerprint, setup.fingerprint(), cells(), order, cfl);
  }
}
