package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The computed geometry of a cube agrees with a stored mesh. */
class CubeMeshTest {

  private static final int POINTS = 4;

  private final CubeMesh cube = new CubeMesh(POINTS);
  private final TetrahedralMesh kept = TetrahedralMesh.cube(POINTS);

  @Test
  void hasTheSameCellsAndFaces() {
    assertThat(cube.cells()).isEqualTo(kept.cells());
    for (var cell = 0; cell < kept.cells(); cell++) {
      assertThat(cube.areas(cell)).containsExactly(kept.areas(cell), within(1e-12));
      for (var axis = 0; axis < 3; axis++) {
        assertThat(cube.barycentre(cell, axis))
            .isCloseTo(kept.barycentre(cell, axis), within(1e-15));
      }
      for (var face = 0; face < 4; face++) {
        assertThat(cube.behind(cell, face)).isEqualTo(kept.behind(cell, face));
        for (var axis = 0; axis < 3; axis++) {
          assertThat(cube.centre(cell, face, axis))
              .isCloseTo(kept.centre(cell, face, axis), within(1e-15));
        }
      }
    }
  }

  @Test
  void nearlyEveryPointIsInOneCellTheSame() {
    var random = new Random(5);
    for (var k = 0; k < 50; k++) {
      double[] at = random.doubles(3).toArray();
      var found = cube.around(at, at).filter(c -> cube.contains(c, at[0], at[1], at[2])).toArray();
      assertThat(found)
          .hasSize(1)
          .isEqualTo(
              IntStream.range(0, kept.cells())
                  .filter(c -> kept.contains(c, at[0], at[1], at[2]))
                  .toArray());
    }
    double[] outside = {1.001, 0.5, 0.5};
    assertThat(cube.around(outside, outside).filter(c -> cube.contains(c, 1.001, 0.5, 0.5)))
        .isEmpty();
  }

  @Test
  void wallsAreThoseOfItsParts() {
    var part = new CubePart(POINTS, new CubeDivision(1, 1, 1), 0).build();
    var local = new int[part.cells()];
    for (var cell = 0; cell < part.cells(); cell++) {
      local[part.globalCells()[cell]] = cell;
    }
    for (var cell = 0; cell < cube.cells(); cell++) {
      for (var face = 0; face < 4; face++) {
        if (cube.behind(cell, face) < 0) {
          var wall = part.neighbourPlaces()[4 * local[cell] + face] / 3 - part.cells();
          assertThat(part.wallNames().get(part.wallGroups()[wall]))
              .isEqualTo(cube.wall(cell, face));
        }
      }
    }
  }
}
