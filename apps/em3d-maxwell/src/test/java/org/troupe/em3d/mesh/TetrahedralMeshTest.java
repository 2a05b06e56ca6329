package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.em3d.maxwell.SequentialSolver;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;

/** Meshes from files: their geometry as reported by Gmsh, and their partitions. */
class TetrahedralMeshTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "cube.msh, 4932, 1, 1456, 1.49712e-2",
    "sphere.msh, 3625, 4.142627, 1012, 2.77612e-2",
    "cube-hole.msh, 7555, 7.738435, 1912, 4.42692e-3"
  })
  void isWhatTheFileHolds(String file, int cells, double volume, int outerFaces, double bound) {
    TetrahedralMesh mesh = mesh(file);

    assertThat(mesh.cells()).isEqualTo(cells);
    assertThat(mesh.volume()).isCloseTo(volume, within(5e-7));
    assertThat(mesh.outerFaces()).isEqualTo(outerFaces);
    assertThat(mesh.region(0)).isEqualTo("vacuum");
    assertThat(SequentialSolver.stableStepBound(mesh, MediumMap.uniform(Medium.VACUUM)))
        .isCloseTo(bound, within(5e-6 * bound));
  }

  @Test
  void keepsTheNamesOfTheWalls() {
    assertThat(mesh("cube.msh").wallGroups()).isEqualTo(Map.of("pec", 1456));
    assertThat(mesh("cube-hole.msh").wallGroups()).isEqualTo(Map.of("pec", 462, "absorbing", 1450));
  }

  @Test
  void cellsThatAllDifferHaveWeightsOfTheirOwn() {
    CurlWeights weights = mesh("sphere.msh").parts(1).getFirst().build().curlWeights();

    assertThat(weights.kinds()).isNull();
    assertThat(weights.place(3624)).isEqualTo(9 * 3624);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 100})
  void isCutIntoEqualParts(int parts) {
    TetrahedralMesh mesh = mesh("sphere.msh");
    List<TetrahedralPart> cut = mesh.parts(parts);

    assertThat(cut).hasSize(parts);
    for (TetrahedralPart part : cut) {
      assertThat(part.cells()).isBetween(3625 / parts, 3625 / parts + 1);
    }
    MeshChecks.assertConnectedAs(mesh, cut);
  }

  @Test
  void isCutTheSameWayEveryTime() {
    List<TetrahedralPart> one = mesh("cube.msh").parts(6);
    List<TetrahedralPart> other = mesh("cube.msh").parts(6);

    for (int rank = 0; rank < 6; rank++) {
      assertThat(one.get(rank).build().globalCells())
          .isEqualTo(other.get(rank).build().globalCells());
    }
  }

  @Test
  void isCutDownToSingleCells() {
    TetrahedralMesh mesh = TetrahedralMesh.cube(3);

    assertThat(mesh.parts(48)).allSatisfy(p -> assertThat(p.cells()).isEqualTo(1));
    assertThatThrownBy(() -> mesh.parts(49))
        .hasMessage("cube:3: 48 cells cannot be cut into 49 parts; ask for 1 to 48");
    assertThatThrownBy(() -> mesh.parts(0)).isInstanceOf(MeshException.class);
  }

  /** Half of all faces of a random numbering would be far away. */
  @Test
  void numbersCellsSoThatNeighboursAreNear() {
    PartMesh mesh = mesh("cube.msh").parts(1).getFirst().build();

    long near =
        Arrays.stream(mesh.neighbourPlaces()).filter(place -> place < 3 * mesh.cells()).count();
    long far = 0;
    for (int k = 0; k < mesh.neighbourPlaces().length; k++) {
      int place = mesh.neighbourPlaces()[k];
      if (place < 3 * mesh.cells() && Math.abs(place / 3 - k / 4) > 256) {
        far++;
      }
    }
    assertThat((double) far / near).isLessThan(0.2);
  }

  static TetrahedralMesh mesh(String name) {
    return GmshReader.read(Meshes.file(name));
  }
}
