package org.troupe.em3d.views;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.troupe.em3d.maxwell.SignalSpectrum;

/** Draws curves of series without a display. */
public final class SeriesPlot {

  private static final int WIDTH = 720;
  private static final int HEIGHT = 360;
  private static final int LEFT = 80;
  private static final int TOP = 36;
  private static final int RIGHT = 24;
  private static final int BOTTOM = 52;
  private static final int MARKS = 110; // the width of the labels beside a picture with marks
  private static final int LETTER = 12;
  private static final int MOST_X_STEPS = 12;
  private static final int MOST_Y_STEPS = 6;
  private static final Color LINE = new Color(33, 102, 172);
  private static final Color PEAK = new Color(178, 24, 43);
  private static final Color GRID = new Color(220, 220, 220);

  /** A series with a smaller relative change is drawn as its change. */
  private static final double CONSTANT = 1e-3;

  /** The least change that fills the picture, so that round-off is not magnified. */
  private static final double LEAST_CHANGE = 1e-15;

  /** A marked abscissa, with the ordinate of the curve there. */
  private record Mark(double x, double y, String name) {}

  /**
   * A curve in its units.
   *
   * @param low a value that the vertical axis includes
   * @param high another value that the vertical axis includes
   */
  private record Plot(
      String title,
      String across,
      double[] x,
      String up,
      double[] y,
      double low,
      double high,
      List<Mark> marks) {}

  private SeriesPlot() {}

  /**
   * Draws a quantity against time; if it is nearly constant, its change relative to the first
   * value.
   *
   * @return the bytes of a PNG
   */
  public static byte[] ofTime(String name, String unit, double[] seconds, double[] values)
      throws IOException {
    var all = Arrays.stream(values).summaryStatistics();
    double size = Math.max(Math.abs(all.getMax()), Math.abs(all.getMin()));
    boolean isConstant =
        values.length > 1 && values[0] != 0 && all.getMax() - all.getMin() < CONSTANT * size;
    UnitPrefix time = UnitPrefix.of(seconds.length == 0 ? 1 : seconds[seconds.length - 1], "s");
    String across = "t (" + time.unit() + ")";
    double[] times = times(seconds, time.factor());
    if (!isConstant) {
      UnitPrefix scale = UnitPrefix.of(values.length == 0 ? 0 : size, unit);
      return png(
          new Plot(
              name,
              across,
              times,
              "%s (%s)".formatted(name, scale.unit()),
              times(values, scale.factor()),
              0,
              0,
              List.of()));
    }
    double first = values[0];
    double[] changes =
        Arrays.stream(values).map(value -> (value - first) / Math.abs(first)).toArray();
    double largest = Math.max(Arrays.stream(changes).map(Math::abs).max().orElse(0), LEAST_CHANGE);
    int power = (int) Math.floor(Math.log10(largest));
    return png(
        new Plot(
            "%s: change relative to the first value, %s"
                .formatted(name, UnitPrefix.of(first, unit).text(first)),
            across,
            times,
            "relative change (1e%d)".formatted(power),
            times(changes, Math.pow(10, -power)),
            -1,
            1,
            List.of()));
  }

  /**
   * Draws a spectrum, with its resonances marked in hertz.
   *
   * @param name of the quantity
   * @param spectrum by angular frequencies in 1/s
   * @return the bytes of a PNG
   */
  public static byte[] ofFrequency(String name, String unit, SignalSpectrum spectrum)
      throws IOException {
    double hertz = 1 / (2 * Math.PI); // per unit of angular frequency
    int shown = spectrum.shown();
    double[] amplitudes = Arrays.copyOf(spectrum.amplitudes(), shown);
    double[] frequencies = new double[shown];
    Arrays.setAll(frequencies, k -> k * spectrum.spacing() * hertz);
    UnitPrefix across = UnitPrefix.of(frequencies[shown - 1] / 2, "Hz");
    UnitPrefix up = UnitPrefix.of(Arrays.stream(amplitudes).max().orElse(0), unit);
    return png(
        new Plot(
            "spectrum of " + name,
            "f (" + across.unit() + ")",
            times(frequencies, across.factor()),
            "amplitude (" + up.unit() + ")",
            times(amplitudes, up.factor()),
            0,
            0,
            spectrum.resonances().stream()
                .map(
                    each ->
                        new Mark(
                            each.omega() * hertz * across.factor(),
                            each.amplitude() * up.factor(),
                            across.text(each.omega() * hertz)))
                .toList()));
  }

  private static double[] times(double[] values, double factor) {
    return Arrays.stream(values).map(value -> value * factor).toArray();
  }

  private static byte[] png(Plot plot) throws IOException {
    return PngDrawing.of(
        () -> {
          var image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
          var pen = image.createGraphics();
          try {
            pen.setColor(Color.WHITE);
            pen.fillRect(0, 0, WIDTH, HEIGHT);
            pen.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            pen.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            pen.setRenderingHint(
                RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            new SeriesPlot.Sheet(plot, pen).draw();
          } finally {
            pen.dispose();
          }
          var bytes = new ByteArrayOutputStream();
          ImageIO.write(image, "png", bytes);
          return bytes.toByteArray();
        });
  }

  /** The layout of a plot: its axes in pixels. */
  private static final class Sheet {

    private final Plot plot;
    private final Graphics2D pen;
    private final int right;
    private final int bottom = HEIGHT - BOTTOM;
    private final AxisTicks across;
    private final AxisTicks up;

    Sheet(Plot plot, Graphics2D pen) {
      this.plot = plot;
      this.pen = pen;
      right = WIDTH - RIGHT - (plot.marks.isEmpty() ? 0 : MARKS);
      double end = plot.x.length == 0 ? 1 : plot.x[plot.x.length - 1];
      double begin = plot.x.length == 0 ? 0 : plot.x[0];
      across = AxisTicks.within(begin, end > begin ? end : begin + 1, MOST_X_STEPS);
      var all = Arrays.stream(plot.y).summaryStatistics();
      double low = Math.min(plot.low, all.getMin()); // infinite if there is none
      double high = Math.max(plot.high, all.getMax());
      up = AxisTicks.around(low, high > low ? high : low + 1, MOST_Y_STEPS);
    }

    private double x(double value) {
      return LEFT + across.part(value) * (right - LEFT);
    }

    private double y(double value) {
      return bottom - up.part(value) * (bottom - TOP);
    }

    void draw() {
      pen.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, LETTER));
      for (double value : across.values()) {
        line(GRID, x(value), TOP, x(value), bottom);
        centred(across.label(value), x(value), bottom + LETTER + 5);
      }
      for (double value : up.values()) {
        line(GRID, LEFT, y(value), right, y(value));
        String label = up.label(value);
        write(label, LEFT - 8 - width(label), y(value) + LETTER / 2 - 2);
      }
      line(Color.GRAY, LEFT, TOP, LEFT, bottom);
      line(Color.GRAY, LEFT, bottom, right, bottom);
      centred(plot.across, (LEFT + right) / 2.0, HEIGHT - 10);
      AffineTransform upright = pen.getTransform();
      pen.rotate(-Math.PI / 2, 18, (TOP + bottom) / 2.0);
      centred(plot.up, 18, (TOP + bottom) / 2.0);
      pen.setTransform(upright);
      pen.setFont(pen.getFont().deriveFont(Font.BOLD));
      centred(plot.title, (LEFT + right) / 2.0, TOP - LETTER);
      pen.setFont(pen.getFont().deriveFont(Font.PLAIN));
      curve();
      int row = TOP + LETTER;
      for (Mark mark : plot.marks) {
        line(PEAK, x(mark.x), bottom, x(mark.x), y(mark.y));
        pen.setColor(PEAK);
        pen.drawString(mark.name, right + 16, row);
        row += 3 * LETTER / 2;
      }
    }

    private void curve() {
      var path = new Path2D.Double();
      for (int k = 0; k < plot.x.length; k++) {
        if (k == 0) {
          path.moveTo(x(plot.x[k]), y(plot.y[k]));
        } else {
          path.lineTo(x(plot.x[k]), y(plot.y[k]));
        }
      }
      pen.setColor(LINE);
      if (plot.x.length == 1) {
        path.lineTo(x(plot.x[0]) + 3, y(plot.y[0])); // a single sample would be invisible
      }
      pen.setStroke(new BasicStroke(1.6f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
      pen.draw(path);
      pen.setStroke(new BasicStroke(1));
    }

    private void line(Color colour, double fromX, double fromY, double toX, double toY) {
      pen.setColor(colour);
      var path = new Path2D.Double();
      path.moveTo(fromX, fromY);
      path.lineTo(toX, toY);
      pen.draw(path);
      pen.setColor(Color.BLACK);
    }

    private double width(String text) {
      return pen.getFontMetrics().stringWidth(text);
    }

    private void centred(String text, double x, double y) {
      write(text, x - width(text) / 2, y);
    }

    private void write(String text, double x, double y) {
      pen.setColor(Color.BLACK);
      pen.drawString(text, (float) x, (float) y);
    }
  }
}
