package org.troupe.em3d.views;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.troupe.em3d.maxwell.Resonance;
import org.troupe.em3d.maxwell.Spectrum;

/** Series as pictures, made without a display. */
public final class Curves {

  private static final int WIDTH = 720;
  private static final int HEIGHT = 360;
  private static final Color LINE = new Color(33, 102, 172);
  private static final Color PEAK = new Color(178, 24, 43);
  private static final String PREFIXES = "fpnum kMGTP"; // a thousand from one to the next

  private Curves() {}

  /**
   * Draws a quantity against time.
   *
   * @param name the quantity with its unit
   * @return the bytes of a PNG
   */
  public static byte[] ofTime(String name, double[] seconds, double[] values) throws IOException {
    int thousands = thousands(seconds.length == 0 ? 1 : seconds[seconds.length - 1]);
    XYChart chart = chart(name, "t (" + unit(thousands, "s") + ")", name);
    if (Arrays.stream(values).allMatch(value -> value >= 0)) {
      chart.getStyler().setYAxisMin(0.0); // or round-off would look like mountains
    }
    if (seconds.length > 0) {
      double[] times = scaled(seconds, thousands);
      chart.addSeries(name, times, values).setMarker(SeriesMarkers.NONE).setLineColor(LINE);
    }
    return png(chart);
  }

  /**
   * Draws a spectrum, with its resonances marked in hertz.
   *
   * @param spectrum by angular frequencies in 1/s
   * @return the bytes of a PNG
   */
  public static byte[] ofFrequency(String name, Spectrum spectrum) throws IOException {
    double hertz = 1 / (2 * Math.PI); // of an angular frequency
    double[] amplitudes = spectrum.amplitudes();
    int shown = spectrum.shown();
    double[] frequencies = new double[shown];
    Arrays.setAll(frequencies, k -> k * spectrum.spacing() * hertz);
    int thousands = thousands(frequencies[shown - 1] / 2);
    String unit = unit(thousands, "Hz");
    XYChart chart = chart("spectrum of " + name, "f (" + unit + ")", "amplitude of " + name);
    chart
        .addSeries("spectrum", scaled(frequencies, thousands), Arrays.copyOf(amplitudes, shown))
        .setMarker(SeriesMarkers.NONE)
        .setLineColor(LINE);
    for (Resonance each : spectrum.resonances()) {
      double at = each.omega() * hertz * Math.pow(1000, -thousands);
      chart
          .addSeries(
              "%.5g %s".formatted(at, unit),
              new double[] {at, at},
              new double[] {0, each.amplitude()})
          .setMarker(SeriesMarkers.DIAMOND)
          .setMarkerColor(PEAK)
          .setLineColor(PEAK);
    }
    chart.getStyler().setLegendVisible(true);
    return png(chart);
  }

  /** The power of 1000 in which the largest of some numbers is from 1 to 999. */
  private static int thousands(double largest) {
    int power = largest > 0 ? (int) Math.floor(Math.log10(largest) / 3) : 0;
    return Math.clamp(power, -5, 5);
  }

  private static String unit(int thousands, String unit) {
    return (PREFIXES.charAt(5 + thousands) + unit).strip();
  }

  private static double[] scaled(double[] values, int thousands) {
    return Arrays.stream(values).map(value -> value * Math.pow(1000, -thousands)).toArray();
  }

  private static XYChart chart(String title, String x, String y) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setXAxisDecimalPattern("0.###");
    chart.getStyler().setYAxisDecimalPattern("0.####E0");
    return chart;
  }

  private static byte[] png(XYChart chart) throws IOException {
    return Drawing.of(
        () -> {
          var bytes = new ByteArrayOutputStream();
          BitmapEncoder.saveBitmap(chart, bytes, BitmapFormat.PNG);
          return bytes.toByteArray();
        });
  }
}
