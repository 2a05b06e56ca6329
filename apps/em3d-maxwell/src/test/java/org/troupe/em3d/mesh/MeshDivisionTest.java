package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeshDivisionTest {

  private static final int POINTS = 20; // 41,154 cells, more than a block

  @Test
  void partsAreFetchedInBlocks() {
    TetrahedralMesh mesh = TetrahedralMesh.cube(POINTS);
    TetrahedralPart part = mesh.parts(1).getFirst();

    CellBlock first = part.source().block(0, 0);
    assertThat(first.cells()).isEqualTo(MeshDivision.BLOCK);
    CellBlock second = part.source().block(0, MeshDivision.BLOCK);
    assertThat(second.cells()).isEqualTo(mesh.cells() - MeshDivision.BLOCK);
    MeshChecks.assertConnectedAs(mesh, List.of(part));
    MeshChecks.assertConnectedAs(mesh, mesh.parts(3));
  }

  @Test
  void blocksShareTheirVertices() {
    TetrahedralMesh mesh = TetrahedralMesh.cube(POINTS);

    BuiltPart built = mesh.parts(1).getFirst().build(true);
    CellCorners corners = built.corners();

    assertThat(corners).isNotNull();
    assertThat(corners.coordinates()).hasSize(3 * POINTS * POINTS * POINTS);
    for (int cell = 0; cell < corners.cells(); cell++) {
      int global = built.mesh().globalCells()[cell];
      for (int k = 0; k < 12; k++) {
        double found = corners.coordinates()[3 * corners.vertices()[4 * cell + k / 3] + k % 3];
        if (found != mesh.coordinate(global, k / 3, k % 3)) {
          assertThat(found).as("cell %d", cell).isEqualTo(mesh.coordinate(global, k / 3, k % 3));
        }
      }
    }
  }

  @Test
  void releasedMeshesComeBack() {
    TetrahedralMesh mesh = TetrahedralMeshTest.mesh("cube-hole.msh");
    MeshDivision division = mesh.divide(3, MeshPartitioner.BUILT_IN);
    long fingerprint = mesh.fingerprint();
    double[] barycentres = mesh.barycentres();
    PartMesh before = division.parts().get(1).build();

    division.release();
    division.release();
    PartMesh after = division.parts().get(1).build();

    assertThat(after.globalCells()).isEqualTo(before.globalCells());
    assertThat(after.neighbourPlaces()).isEqualTo(before.neighbourPlaces());
    assertThat(after.volumes()).isEqualTo(before.volumes());
    assertThat(after.wallGroups()).isEqualTo(before.wallGroups());
    mesh.release();
    assertThat(mesh.fingerprint()).isEqualTo(fingerprint);
    assertThat(Arrays.equals(mesh.barycentres(), barycentres)).isTrue();
  }

  @Test
  void sourcesThatEndEarlyAreRefused() {
    TetrahedralPart part =
        TetrahedralMesh.cube(3)
            .parts(1)
            .getFirst()
            .from(
                (rank, first) ->
                    new CellBlock(
                        new double[0], new int[0], new int[0], new int[0], new int[0], new int[0]));

    assertThatThrownBy(part::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("sub-domain 0 has 48 cells, but its source has only 0");
  }
}
