package org.troupe.em3d.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.PartMesh;

/** The kernels with and without vectors agree to the last bit. */
class CurlKernelTest {

  private final PartMesh mesh = new CubePart(5, new CubeDivision(1, 1, 1), 0).build();
  private final int cells = mesh.cells();
  private final double[] e = random(1);
  private final double[] h = random(2);
  private final CellValues smooth = CellValues.of(cells, cell -> 1 + Math.sin(cell));
  private final CellValues uniform = CellValues.of(cells, cell -> 0.7);

  private double[] random(long seed) {
    return new Random(seed)
        .doubles(3L * mesh.slots() + PartMesh.MARGIN, -1, 1)
        .map(x -> x * x * x)
        .toArray();
  }

  @Test
  void vectorsAreUsedWhereTheyAre() {
    assertThat(CurlKernel.fastest().description())
        .matches("vectors of 256 bits|scalar \\(the .+\\)");
    assertThat(new VectorCurl().description()).isEqualTo("vectors of 256 bits");
    assertThat(new ScalarCurl("test").description()).isEqualTo("scalar (test)");
  }

  @Test
  void fieldsAreEqual() {
    assertThat(added(new VectorCurl(), smooth)).isEqualTo(added(new ScalarCurl("test"), smooth));
    assertThat(added(new VectorCurl(), uniform)).isEqualTo(added(new ScalarCurl("test"), uniform));
  }

  @Test
  void cellsOutsideTheRangeStayAsTheyAre() {
    double[] target = h.clone();
    new VectorCurl().add(7, 10, mesh.neighbourPlaces(), mesh.curlWeights(), smooth, e, target);

    for (int k = 0; k < target.length; k++) {
      assertThat(target[k] != h[k]).as("number %d", k).isEqualTo(k >= 21 && k < 30);
    }
  }

  @Test
  void fieldsAndEnergiesAreEqual() {
    assertThat(energy(new VectorCurl(), smooth)).isEqualTo(energy(new ScalarCurl("test"), smooth));
    assertThat(energy(new VectorCurl(), uniform))
        .isEqualTo(energy(new ScalarCurl("test"), uniform));
  }

  private double[] added(CurlKernel curl, CellValues factors) {
    double[] target = h.clone();
    curl.add(0, cells, mesh.neighbourPlaces(), mesh.curlWeights(), factors, e, target);
    return target;
  }

  /** H with the energy in place of its last number. */
  private double[] energy(CurlKernel curl, CellValues medium) {
    double[] target = h.clone();
    CompensatedSum sum = new CompensatedSum();
    curl.addWithEnergy(
        3, // blocks begin anywhere
        cells,
        mesh.neighbourPlaces(),
        mesh.curlWeights(),
        smooth,
        e,
        target,
        mesh.volumes(),
        medium,
        smooth,
        sum);
    target[target.length - 1] = sum.value();
    return target;
  }
}
