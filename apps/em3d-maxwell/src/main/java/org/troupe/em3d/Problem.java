package org.troupe.em3d;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.troupe.em3d.maxwell.Media;
import org.troupe.em3d.maxwell.Medium;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.Division;
import org.troupe.em3d.mesh.Part;
import org.troupe.em3d.mesh.TetrahedralMesh;

/**
 * What is to be solved: a cavity with conducting walls, filled with vacuum, cut in parts.
 *
 * @param mesh the mesh in the user's words
 * @param division how a cube is divided, for messages; empty for a mesh from a file
 * @param parts one for each sub-domain, in rank order
 * @param start the fields in the beginning
 */
record Problem(String mesh, String division, List<? extends Part> parts, Start start) {

  private static final String CUBE = "cube:";
  private static final int FEWEST_POINTS = 2;
  private static final int MOST_POINTS = 710; // more would have more cells than an index can count
  private static final double GEOMETRIC_TOLERANCE = 1e-9;

  /**
   * Reads what the user asks for.
   *
   * @param mesh {@code cube:N} with N points per axis, or a Gmsh file
   * @param division {@code AxBxC} for a cube, or {@code auto}
   * @param subDomains how many are wanted with {@code auto}
   * @throws IllegalArgumentException or {@link org.troupe.em3d.mesh.MeshException} if that is not
   *     possible; the message says what to do
   */
  static Problem of(String mesh, String division, int subDomains) {
    return mesh.startsWith(CUBE)
        ? ofCube(mesh, division, subDomains)
        : ofFile(mesh, division, subDomains);
  }

  private static Problem ofCube(String mesh, String division, int subDomains) {
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
    var divided =
        division.equals("auto") ? Division.auto(subDomains, points) : Division.parse(division);
    return new Problem(
        mesh, divided.toString(), CubePart.all(points, divided), new Start.Cavity(1, 1, 1));
  }

  private static Problem ofFile(String mesh, String division, int subDomains) {
    if (!division.equals("auto")) {
      throw new IllegalArgumentException(
          "division '"
              + division
              + "' is for cubes; a mesh from a file is cut along its coordinates: leave --division"
              + " out, and say --subdomains N for another number of parts");
    }
    if (!mesh.endsWith(".msh") && !Files.exists(Path.of(mesh))) {
      throw new IllegalArgumentException(
          "mesh '" + mesh + "' is neither a cube, as cube:33, nor a file of Gmsh, as sphere.msh");
    }
    var whole = TetrahedralMesh.read(Path.of(mesh));
    return new Problem(
        mesh,
        "",
        whole.parts(subDomains),
        isUnitCube(whole) ? new Start.Cavity(1, 1, 1) : new Start.AtRest());
  }

  /** Says whether the mesh fills the cube from 0 to 1, whose modes are known. */
  private static boolean isUnitCube(TetrahedralMesh mesh) {
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

  Media media() {
    return Media.uniform(Medium.VACUUM);
  }

  /** Says whether the fields are known exactly at all times. */
  boolean hasExactSolution() {
    return start instanceof Start.Cavity;
  }
}
