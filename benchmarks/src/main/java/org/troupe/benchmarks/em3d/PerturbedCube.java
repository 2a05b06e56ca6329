package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.em3d.mesh.GmshReader;

/**
 * A mesh file like that of a mesh generator: the cells of a cube in random order, their inner
 * vertices moved at random by up to a sixth of the distance between them.
 */
final class PerturbedCube implements AutoCloseable {

  private static final int USUAL_POINTS = 45; // 511,104 cells
  private static final int[][] PATHS = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}; // axes
  private static final double SHAKE = 1.0 / 6;

  private final int points;
  private final Path file;
  private final Path parts;

  PerturbedCube() throws IOException {
    this(USUAL_POINTS);
  }

  /** Writes a mesh with this number of vertices along each edge of the cube. */
  PerturbedCube(int points) throws IOException {
    this.points = points;
    file = TerminationCleanup.file(".msh");
    parts = TerminationCleanup.file(".part");
    write();
  }

  /** Returns the number of cells. */
  int cells() {
    return PATHS.length * (points - 1) * (points - 1) * (points - 1);
  }

  Path file() {
    return file;
  }

  /** Writes the partition file: the part of each cell, partitioned as the solver does it. */
  Path parts(int count) throws IOException {
    var mesh = GmshReader.read(file);
    var owners = new int[mesh.cells()];
    for (var part : mesh.parts(count)) {
      for (var cell : part.build().globalCells()) {
        owners[cell] = part.rank();
      }
    }
    try (var out = Files.newBufferedWriter(parts)) {
      for (var owner : owners) {
        out.write(owner + "\n");
      }
    }
    return parts;
  }

  private void write() throws IOException {
    var random = new Random(points);
    var vertices = points * points * points;
    try (var out = Files.newBufferedWriter(file)) {
      out.write("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n");
      out.write("1 0 0 0 1 1 1 0 0\n$EndEntities\n");
      out.write("$Nodes\n1 %d 1 %d\n3 1 0 %d\n".formatted(vertices, vertices, vertices));
      for (var vertex = 1; vertex <= vertices; vertex++) {
        out.write(vertex + "\n");
      }
      for (var z = 0; z < points; z++) {
        for (var y = 0; y < points; y++) {
          for (var x = 0; x < points; x++) {
            out.write(place(x, random) + " " + place(y, random) + " " + place(z, random) + "\n");
          }
        }
      }
      var cells = shuffled(cells(), random);
      out.write("$EndNodes\n$Elements\n1 %d 1 %d\n".formatted(cells.length, cells.length));
      out.write("3 1 4 " + cells.length + "\n");
      for (var k = 0; k < cells.length; k++) {
        out.write(k + 1 + " " + cell(cells[k]) + "\n");
      }
      out.write("$EndElements\n");
    }
  }

  /** Returns a coordinate; vertices on the walls stay there. */
  private double place(int step, Random random) {
    var moved = step == 0 || step == points - 1 ? 0 : SHAKE * (2 * random.nextDouble() - 1);
    return (step + moved) / (points - 1);
  }

  /** Returns the numbers from 0 on in random order. */
  private static int[] shuffled(int count, Random random) {
    var numbers = IntStream.range(0, count).toArray();
    for (var k = count; k > 1; k--) {
      var other = random.nextInt(k);
      var swapped = numbers[k - 1];
      numbers[k - 1] = numbers[other];
      numbers[other] = swapped;
    }
    return numbers;
  }

  /**
   * Returns the vertices of a tetrahedron: for each small cube, there are six paths along its edges
   * from the first corner to the opposite one.
   */
  private String cell(int number) {
    int[] steps = {1, points, points * points};
    var edges = points - 1;
    var cube = number / PATHS.length;
    var path = PATHS[number % PATHS.length];
    var first =
        1 + cube % edges + points * (cube / edges % edges + points * (cube / edges / edges));
    var second = first + steps[path[0]];
    var last = first + steps[0] + steps[1] + steps[2];
    return first + " " + second + " " + (second + steps[path[1]]) + " " + last;
  }

  @Override
  public void close() throws IOException {
    TerminationCleanup.delete(file);
    TerminationCleanup.delete(parts);
  }
}
