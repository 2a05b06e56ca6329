package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellRangesTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8192, 8193, 100_000})
  void eachCellIsProcessedOnce(int cells) {
    int[] times = new int[cells];
    CellRanges.process(
        cells,
        (from, to) -> {
          for (int cell = from; cell < to; cell++) {
            times[cell]++;
          }
        });
    assertThat(Arrays.stream(times)).allMatch(each -> each == 1);

    int next = 0;
    for (int[] range : CellRanges.answers(cells, (from, to) -> new int[] {from, to})) {
      assertThat(range[0]).isEqualTo(next);
      next = range[1];
    }
    assertThat(next).isEqualTo(cells);
  }

  @Test
  void anExceptionKeepsItsTypeAndText() {
    assertThatThrownBy(
            () ->
                CellRanges.process(
                    100_000,
                    (from, to) -> {
                      throw new MeshException("flat");
                    }))
        .isInstanceOf(MeshException.class)
        .hasMessage("flat");
  }

  /** The ranges find the shapes in different orders, as the bricks of a cube have other edges. */
  @Test
  void allRangesOfACubeShareItsShapes() {
    PartMesh mesh = new CubePart(19, new CubeDivision(1, 1, 1), 0).build();
    CurlWeights shared = mesh.curlWeights();
    assertThat(mesh.cells()).isGreaterThan(4 * 8192);

    int most = 0;
    for (int cell = 0; cell < mesh.cells(); cell++) {
      most = Math.max(most, shared.place(cell) / CurlWeights.SIZE);
      assertThat(Arrays.copyOfRange(shared.values(), shared.place(cell), shared.place(cell) + 9))
          .isEqualTo(
              Arrays.copyOfRange(
                  shared.values(), shared.place(cell % 6), shared.place(cell % 6) + 9));
    }
    assertThat(most).isEqualTo(5);
  }
}
