package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Compares parts with the whole mesh that they are cut from. */
final class MeshChecks {

  private MeshChecks() {}

  /** Every face of every part leads to the cell it leads to in the whole mesh, over borders too. */
  static void assertConnectedAs(TetrahedralMesh whole, List<? extends MeshPart> parts) {
    List<PartMesh> meshes = parts.stream().map(MeshPart::build).toList();
    int[] seen = new int[whole.cells()];
    for (PartMesh mesh : meshes) {
      int[] cellBehindGhost = new int[mesh.slots()];
      for (int wall = 0; wall < mesh.wallCells().length; wall++) {
        cellBehindGhost[mesh.cells() + wall] = -1;
      }
      for (int k = 0; k < mesh.neighbourRanks().length; k++) {
        fillGhosts(mesh, k, meshes.get(mesh.neighbourRanks()[k]), cellBehindGhost);
      }
      for (int cell = 0; cell < mesh.cells(); cell++) {
        int global = mesh.globalCells()[cell];
        seen[global]++;
        boolean onBorder = false;
        for (int face = 0; face < 4; face++) {
          int slot = mesh.neighbourPlaces()[4 * cell + face] / 3;
          int expected = whole.isWall(global, face) ? -1 : whole.neighbour(global, face);
          assertThat(slot < mesh.cells() ? mesh.globalCells()[slot] : cellBehindGhost[slot])
              .as("behind face %d of cell %d", face, global)
              .isEqualTo(expected);
          onBorder |= slot >= mesh.firstBorderGhost();
        }
        assertThat(onBorder).isEqualTo(cell >= mesh.innerCells());
      }
    }
    assertThat(seen).containsOnly(1);
  }

  private static void fillGhosts(PartMesh mesh, int k, PartMesh neighbour, int[] cellBehindGhost) {
    int back = 0;
    while (neighbour.neighbourRanks()[back] != mesh.rank()) {
      back++;
    }
    int faces = mesh.borderStarts()[k + 1] - mesh.borderStarts()[k];
    assertThat(neighbour.borderStarts()[back + 1] - neighbour.borderStarts()[back])
        .isEqualTo(faces);
    for (int face = 0; face < faces; face++) {
      int theirs = neighbour.borderCells()[neighbour.borderStarts()[back] + face];
      cellBehindGhost[mesh.firstBorderGhost() + mesh.borderStarts()[k] + face] =
          neighbour.globalCells()[theirs];
    }
  }
}
