package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HilbertCurveTest {

  /** Points on a grid: the curve goes from each to one of the six next to it, and visits all. */
  @Test
  void neverJumps() {
    int n = 8;
    double[] points = new double[3 * n * n * n];
    for (int point = 0; point < n * n * n; point++) {
      points[3 * point] = point % n - 3.0;
      points[3 * point + 1] = point / n % n;
      points[3 * point + 2] = point / n / n + 100.0;
    }

    int[] order = HilbertCurve.order(points);

    assertThat(order).hasSize(n * n * n).doesNotHaveDuplicates();
    for (int k = 1; k < order.length; k++) {
      double way = 0;
      for (int axis = 0; axis < 3; axis++) {
        way += Math.abs(points[3 * order[k] + axis] - points[3 * order[k - 1] + axis]);
      }
      assertThat(way).as("step %d", k).isEqualTo(1);
    }
  }

  @Test
  void leavesPointsInOnePlaceAsTheyAre() {
    assertThat(HilbertCurve.order(new double[] {1, 2, 3, 1, 2, 3, 1, 2, 3}))
        .containsExactly(0, 1, 2);
    assertThat(HilbertCurve.order(new double[0])).isEmpty();
  }
}
