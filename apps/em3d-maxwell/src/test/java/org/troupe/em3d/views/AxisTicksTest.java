package org.troupe.em3d.views;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTicksTest {

  private static List<String> labels(AxisTicks ticks) {
    return ticks.values().stream().map(ticks::label).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 10.36, 12, 0 1 2 3 4 5 6 7 8 9 10",
    "0, 10.36, 8, 0 2 4 6 8 10",
    "-0.4577, 0.4577, 8, -0.4 -0.2 0.0 0.2 0.4",
    "-1, 1, 4, -1.0 -0.5 0.0 0.5 1.0",
    "0, 1017, 8, 0 200 400 600 800 1000",
    "0.1, 0.1004, 6, 0.1000 0.1001 0.1002 0.1003 0.1004",
    "-30, 25, 6, -30 -20 -10 0 10 20"
  })
  void areMultiplesOfOneTwoOrFive(double low, double high, int most, String labels) {
    assertThat(String.join(" ", labels(AxisTicks.within(low, high, most)))).isEqualTo(labels);
  }

  @Test
  void aroundValuesBeginAndEndTheAxis() {
    var ticks = AxisTicks.around(-28.7, 23.5, 6);

    assertThat(labels(ticks)).containsExactly("-30", "-20", "-10", "0", "10", "20", "30");
    assertThat(ticks.part(-30)).isZero();
    assertThat(ticks.part(30)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "5.0209e-12, J, 5.0209 pJ",
    "130.91174e6, Hz, 130.91 MHz",
    "-0.02, V/m, -20.000 mV/m",
    "0, J, 0.0000 J",
    "3e-40, J, 300.00 10^-42 J"
  })
  void unitsHaveThePrefixThatLeavesFewDigits(double value, String unit, String text) {
    assertThat(UnitPrefix.of(value, unit).text(value)).isEqualTo(text);
  }

  /** On an axis of its own size, the curve would be a line without useful ticks. */
  @Test
  void anEnergyThatIsNearlyConstantIsDrawnAsItsChange() throws IOException {
    var seconds = new double[100];
    var flat = new double[100];
    var rising = new double[100];
    Arrays.setAll(seconds, k -> k * 1e-10);
    Arrays.setAll(flat, k -> 5.0209e-12);
    Arrays.setAll(rising, k -> 5.0209e-12 * (1 + 1e-9 * k));

    assertThat(rowsOfCurve(SeriesPlot.ofTime("energy", "J", seconds, flat))).isLessThan(5);
    assertThat(rowsOfCurve(SeriesPlot.ofTime("energy", "J", seconds, rising))).isGreaterThan(60);
  }

  /** How many rows of pixels a curve covers. */
  private static int rowsOfCurve(byte[] png) throws IOException {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    var rows = 0;
    for (var y = 0; y < image.getHeight(); y++) {
      var found = false;
      for (var x = 0; x < image.getWidth(); x++) {
        var colour = image.getRGB(x, y);
        found |= (colour & 0xff) > (colour >> 16 & 0xff) + 60; // blue, where axes are grey
      }
      rows += found ? 1 : 0;
    }
    return rows;
  }
}
