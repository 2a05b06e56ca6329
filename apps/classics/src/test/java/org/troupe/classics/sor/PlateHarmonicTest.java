package org.troupe.classics.sor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The amplitude of the first harmonic of a plate is known without relaxing the plate. */
class PlateHarmonicTest {

  private static PlateRows relaxed(int points, int iterations) {
    var plate = new PlateRows(points, 0, points);
    for (var i = 0; i < iterations; i++) {
      plate.relax(1, points - 1, 1);
      plate.relax(1, points - 1, 0);
    }
    return plate;
  }

  private static double harmonic(int points, PlateRows plate) {
    return PlateHarmonic.found(
        points, Arrays.copyOfRange(plate.values(), plate.row(1), plate.row(points - 1)));
  }

  private static Offset<Double> rounding(double expected) {
    return within(PlateHarmonic.ROUNDING * expected);
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "4, 7", "34, 1", "34, 20", "35, 300"})
  void equalsThatOfAPlateAfterAnyNumberOfSweeps(int points, int iterations) {
    var expected = PlateHarmonic.expected(points, iterations);

    assertThat(harmonic(points, relaxed(points, iterations)))
        .isCloseTo(expected, rounding(expected));
  }

  @Test
  void differsAfterOneSweepTooManyOrInAnotherOrder() {
    var expected = PlateHarmonic.expected(34, 20);
    var oneMore = relaxed(34, 20);
    oneMore.relax(1, 33, 1);
    var otherOrder = new PlateRows(34, 0, 34);
    for (var i = 0; i < 20; i++) {
      otherOrder.relax(1, 33, 1);
      otherOrder.relax(1, 33, 1);
    }

    assertThat(harmonic(34, oneMore)).isNotCloseTo(expected, rounding(expected));
    assertThat(harmonic(34, otherOrder)).isNotCloseTo(expected, rounding(expected));
  }

  @Test
  void detectsAnUnrelaxedPlate() {
    assertThat(PlateHarmonic.expected(34, 20)).isGreaterThan(1);
    assertThat(harmonic(34, relaxed(34, 0))).isZero();
  }
}
