package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.em3d.maxwell.LockstepSolver;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;

/** Partitioners find small cuts, independently of the order of cells in the file. */
class MeshPartitionerTest {

  /** METIS 5.1 cuts 528, 505 and 165 faces. */
  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource({"cube.msh, 8, 580", "sphere.msh, 8, 580", "cube.msh, 2, 182"})
  void theBuiltInOneCutsAboutAsFewFacesAsMetis(String file, int parts, int most) {
    TetrahedralMesh mesh = TetrahedralMeshTest.mesh(file);

    MeshDivision partition = mesh.divide(parts, MeshPartitioner.BUILT_IN);

    assertThat(partition.faces()).isLessThan(most);
    assertThat(partition.partitioner()).isEqualTo("built-in bisection");
    long borders =
        partition.parts().stream().mapToLong(part -> part.build().size().borderFaces()).sum();
    assertThat(borders).isEqualTo(2 * partition.faces());
  }

  /** The partitioner depends on whether METIS is installed; both must partition the mesh. */
  @ParameterizedTest
  @CsvSource({"2", "3", "8"})
  void metisCutsWhereItIsThere(int parts) {
    TetrahedralMesh mesh = TetrahedralMeshTest.mesh("sphere.msh");

    MeshDivision partition = mesh.divide(parts, MeshPartitioner.AUTO);

    MeshChecks.assertConnectedAs(mesh, partition.parts());
    if (partition.partitioner().equals("METIS")) {
      assertThat(partition.parts())
          .allSatisfy(
              part ->
                  assertThat(part.cells())
                      .isBetween(3625 * 97 / 100 / parts, 3625 * 103 / 100 / parts));
      assertThat(partition.faces()).isLessThan(580);
    } else {
      assertThat(partition.partitioner()).startsWith("built-in bisection (");
      assertThatThrownBy(() -> mesh.divide(parts, MeshPartitioner.METIS))
          .isInstanceOf(MeshException.class)
          .hasMessageStartingWith("the mesh cannot be cut by METIS: ");
    }
  }

  @Test
  void aSinglePartIsNotCut() {
    MeshDivision partition = TetrahedralMeshTest.mesh("cube.msh").divide(1, MeshPartitioner.METIS);

    assertThat(partition.partitioner()).isEqualTo("not cut");
    assertThat(partition.faces()).isZero();
  }

  @Test
  void aShuffledMeshIsNumberedAsWellAsTheOtherAndCutAsWell() {
    TetrahedralMesh mesh = TetrahedralMesh.cube(13);
    TetrahedralMesh shuffled = shuffled(13);

    PartMesh one = mesh.parts(1).getFirst().build();
    PartMesh other = shuffled.parts(1).getFirst().build();
    assertThat(meanDistance(mesh)).isLessThan(meanDistance(shuffled) / 10);
    assertThat(meanDistance(one)).isLessThan(0.02 * mesh.cells());
    assertThat(meanDistance(other)).isBetween(0.9 * meanDistance(one), 1.1 * meanDistance(one));
    for (int cell = 0; cell < one.cells(); cell++) { // the same place, whatever its number was
      assertThat(other.barycentres()[3 * cell]).isEqualTo(one.barycentres()[3 * cell]);
    }
    double faces = mesh.divide(6, MeshPartitioner.BUILT_IN).faces();
    assertThat((double) shuffled.divide(6, MeshPartitioner.BUILT_IN).faces())
        .isBetween(0.85 * faces, 1.15 * faces);
  }

  @Test
  void bordersAreNumberedAlongWithTheirCells() {
    List<TetrahedralPart> parts = shuffled(13).parts(2);
    PartMesh mesh = parts.getFirst().build();
    int[] cells = mesh.borderCells();
    double jumps =
        IntStream.range(1, cells.length)
            .map(k -> Math.abs(cells[k] - cells[k - 1]))
            .average()
            .orElseThrow();

    assertThat(jumps).isLessThan(0.2 * (mesh.cells() - mesh.innerCells()));
  }

  @Test
  void theFieldsOfAShuffledMeshAreTheSame() {
    TetrahedralMesh mesh = TetrahedralMesh.cube(7);
    LockstepSolver expected = solved(mesh.parts(1));
    LockstepSolver found = solved(shuffled(7).parts(3));

    double[] before = expected.gather(FieldKind.E);
    double[] after = found.gather(FieldKind.E);
    int[] cells = shuffledCells(mesh.cells());
    for (int cell = 0; cell < cells.length; cell++) {
      for (int axis = 0; axis < 3; axis++) {
        assertThat(after[3 * cell + axis]).isEqualTo(before[3 * cells[cell] + axis]);
      }
    }
  }

  private static LockstepSolver solved(List<TetrahedralPart> parts) {
    LockstepSolver solver =
        new LockstepSolver(parts, Physics.cavity(MediumMap.uniform(Medium.VACUUM)));
    solver.useStep(StepBound.step(solver.stableStepBound(), 0.9));
    solver.start(CavityMode.inVacuum(1, 2, 1));
    for (int n = 0; n < 20; n++) {
      solver.step();
    }
    return solver;
  }

  /** How far in memory a neighbour is on average, in cells. */
  private static double meanDistance(PartMesh mesh) {
    return IntStream.range(0, 4 * mesh.cells())
        .filter(face -> mesh.neighbourPlaces()[face] < 3 * mesh.cells())
        .map(face -> Math.abs(mesh.neighbourPlaces()[face] / 3 - face / 4))
        .average()
        .orElseThrow();
  }

  private static double meanDistance(TetrahedralMesh mesh) {
    return IntStream.range(0, 4 * mesh.cells())
        .filter(face -> !mesh.isWall(face / 4, face % 4))
        .map(face -> Math.abs(mesh.neighbour(face / 4, face % 4) - face / 4))
        .average()
        .orElseThrow();
  }

  /** The cube with cells and vertices in random order; a cell keeps the order of its vertices. */
  private static TetrahedralMesh shuffled(int points) {
    MeshArrays whole = TetrahedralMesh.cube(points).arrays();
    int[] places = permutation(points * points * points, 1);
    double[] coordinates = new double[whole.coordinates().length];
    for (int k = 0; k < coordinates.length; k++) {
      coordinates[3 * places[k / 3] + k % 3] = whole.coordinates()[k];
    }
    int cells = whole.regions().length;
    int[] old = shuffledCells(cells);
    int[] vertices = new int[4 * cells];
    for (int k = 0; k < vertices.length; k++) {
      vertices[k] = places[whole.vertices()[4 * old[k / 4] + k % 4]];
    }
    return new TetrahedralMesh(
        "shuffled",
        coordinates,
        vertices,
        new int[cells],
        List.of(""),
        NamedTriangles.NONE,
        cell -> "cell " + cell);
  }

  /** The old numbers in the new order. */
  private static int[] shuffledCells(int cells) {
    return permutation(cells, 2);
  }

  private static int[] permutation(int length, int seed) {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, length).boxed().toList());
    Collections.shuffle(numbers, new Random(seed));
    return numbers.stream().mapToInt(each -> each).toArray();
  }
}
