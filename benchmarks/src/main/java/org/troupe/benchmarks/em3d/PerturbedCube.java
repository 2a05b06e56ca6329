package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.troupe.em3d.mesh.GmshReader;

/**
 * A mesh file like that of a mesh generator: the cells of a cube in random order, their inner
 * vertices moved at random by up to a sixth of the distance between them.
 */
final class PerturbedCube implements AutoCloseable {

  private static final int POINTS = 45; // 511,104 cells
  private static final double SHAKE = 1.0 / 6;

  private final Path file;
  private final Path parts;

  PerturbedCube() throws IOException {
    file = Files.createTempFile("troupe-bench", ".msh");
    parts = Files.createTempFile("troupe-bench", ".part");
    write();
  }

  Path file() {
    return file;
  }

  /** Writes the partition file: the part of each cell, partitioned as the solver does it. */
  Path parts(int count) throws IOException {
    var mesh = GmshReader.read(file);
    var owners = new int[mesh.cells()];
    for (var part : mesh.parts(count)) {
      for (var cell : part.globalCells()) {
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
    var random = new Random(POINTS);
    var vertices = POINTS * POINTS * POINTS;
    try (var out = Files.newBufferedWriter(file)) {
      out.write("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n");
      out.write("1 0 0 0 1 1 1 0 0\n$EndEntities\n");
      out.write("$Nodes\n1 %d 1 %d\n3 1 0 %d\n".formatted(vertices, vertices, vertices));
      for (var vertex = 1; vertex <= vertices; vertex++) {
        out.write(vertex + "\n");
      }
      for (var z = 0; z < POINTS; z++) {
        for (var y = 0; y < POINTS; y++) {
          for (var x = 0; x < POINTS; x++) {
            out.write(place(x, random) + " " + place(y, random) + " " + place(z, random) + "\n");
          }
        }
      }
      var cells = cells();
      Collections.shuffle(cells, random);
      out.write("$EndNodes\n$Elements\n1 %d 1 %d\n".formatted(cells.size(), cells.size()));
      out.write("3 1 4 " + cells.size() + "\n");
      for (var cell = 0; cell < cells.size(); cell++) {
        out.write(cell + 1 + " " + cells.get(cell) + "\n");
      }
      out.write("$EndElements\n");
    }
  }

  /** Returns a coordinate; vertices on the walls stay there. */
  private static double place(int step, Random random) {
    var moved = step == 0 || step == POINTS - 1 ? 0 : SHAKE * (2 * random.nextDouble() - 1);
    return (step + moved) / (POINTS - 1);
  }

  /**
   * Returns the tetrahedra: for each small cube, the six paths along its edges from the first
   * corner to the opposite one.
   */
  private static List<String> cells() {
    int[] steps = {1, POINTS, POINTS * POINTS};
    List<String> cells = new ArrayList<>();
    for (var z = 0; z < POINTS - 1; z++) {
      for (var y = 0; y < POINTS - 1; y++) {
        for (var x = 0; x < POINTS - 1; x++) {
          var first = 1 + x + POINTS * (y + POINTS * z);
          var last = first + steps[0] + steps[1] + steps[2];
          for (var p = 0; p < 3; p++) {
            for (var q = 0; q < 3; q++) {
              if (p != q) {
                var second = first + steps[p];
                cells.add(first + " " + second + " " + (second + steps[q]) + " " + last);
              }
            }
          }
        }
      }
    }
    return cells;
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(parts);
    } catch (IOException e) {
      file.toFile().deleteOnExit();
      parts.toFile().deleteOnExit();
    }
  }
}
