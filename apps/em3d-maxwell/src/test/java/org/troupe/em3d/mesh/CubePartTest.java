package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CubePartTest {

  @Test
  void hasTheSizeOfTheWholeCube() {
    PartMesh mesh = new CubePart(9, new CubeDivision(1, 1, 1), 0).build();

    assertThat(mesh.size()).isEqualTo(new MeshSize(6 * 512, 12 * 64, 0));
    assertThat(mesh.size().faces()).isEqualTo(12 * 512 - 6 * 64 + 12 * 64);
    assertThat(mesh.innerCells()).isEqualTo(6 * 512);
    assertThat(mesh.volumes()).containsOnly(1 / 3072.0);
    for (double surface : mesh.surfaces()) {
      assertThat(surface).isCloseTo((1 + Math.sqrt(2)) / 64, within(1e-16));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 12, 101, 710})
  void cellsOfEqualShapeShareTheirWeights(int points) {
    PartMesh mesh =
        new CubePart(points, new CubeDivision(points / 4, points / 4, points / 4), 5).build();
    byte[] kinds = mesh.curlWeights().kinds();

    for (int cell = 0; cell < mesh.cells(); cell++) {
      assertThat((int) kinds[cell]).isBetween(0, 5);
    }
  }

  @ParameterizedTest
  @CsvSource({"9, 2x1x1", "9, 2x2x2", "12, 3x1x2", "7, 4x3x5", "4, 3x3x3"})
  void partsTogetherHaveTheSizeOfTheCube(int points, String form) {
    CubeDivision division = CubeDivision.parse(form);
    MeshSize size = size(CubePart.all(points, division));
    long n = points - 1L;

    assertThat(size)
        .isEqualTo(new MeshSize(6 * n * n * n, 12 * n * n, division.borderFaces(points)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1x1", "2x1x3", "4x4x4"})
  void connectsCellsAsMatchingTheirFacesDoes(String form) {
    MeshChecks.assertConnectedAs(
        TetrahedralMesh.cube(10), CubePart.all(10, CubeDivision.parse(form)));
  }

  @Test
  void refusesWhatIsNoPart() {
    assertThatThrownBy(() -> new CubePart(1, new CubeDivision(1, 1, 1), 0))
        .hasMessage("a cube of 1 points per axis cannot be made; use 2 to 710 points");
    assertThatThrownBy(() -> new CubePart(711, new CubeDivision(1, 1, 1), 0))
        .hasMessageContaining("711 points");
    assertThatThrownBy(() -> new CubePart(3, new CubeDivision(3, 1, 1), 0))
        .hasMessage(
            "division '3x1x1' leaves sub-domains empty: a cube of 3 points has 2 cubes per axis;"
                + " use fewer sub-domains along an axis or a finer mesh");
    assertThatThrownBy(() -> new CubePart(3, new CubeDivision(2, 1, 1), 2))
        .hasMessage("division '2x1x1' has no sub-domain 2; ranks are 0 to 1");
  }

  @Test
  void refusesMoreCellsThanArraysHold() {
    CubePart all = new CubePart(710, new CubeDivision(1, 1, 1), 0);

    assertThatThrownBy(all::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "sub-domain 0 of division '1x1x1' has 2138404974 cells, but one can hold 178956969;"
                + " use more sub-domains");
  }

  private static MeshSize size(List<CubePart> parts) {
    return parts.stream().map(p -> p.build().size()).reduce(MeshSize.NONE, MeshSize::plus);
  }
}
