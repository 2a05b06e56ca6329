package org.troupe.em3d.views;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.troupe.em3d.physics.FieldKind;

/** Draws a frame with axes and a colour scale, without a display. */
public final class SlicePicture {

  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int BOTTOM = 45;
  private static final int RIGHT = 150;
  private static final int BAR = 16; // the width of the scale
  private static final int GAP = 20; // before the scale
  private static final int LINE = 12; // the height of a letter
  private static final int TICK = 5;
  private static final int MOST_STEPS = 8;
  private static final int NOTHING = 0xffe8e8e8; // outside the mesh

  // A diverging map from blue over white to red, which is safe for most colour-blind readers.
  private static final int[] COLD = {33, 102, 172};
  private static final int[] WARM = {178, 24, 43};

  private final SliceFrame frame;
  private final float largest;

  private SlicePicture(SliceFrame frame) {
    this.frame = frame;
    this.largest = frame.largest();
  }

  /**
   * Draws a frame.
   *
   * @return the bytes of a PNG
   * @throws UndrawableException if this machine has no font to write with
   */
  public static byte[] png(SliceFrame frame) throws IOException {
    return PngDrawing.of(
        () -> {
          var bytes = new ByteArrayOutputStream();
          ImageIO.write(new SlicePicture(frame).draw(), "png", bytes);
          return bytes.toByteArray();
        });
  }

  private BufferedImage draw() {
    var raster = frame.raster();
    var image =
        new BufferedImage(
            LEFT + raster.width() + RIGHT,
            TOP + raster.height() + BOTTOM,
            BufferedImage.TYPE_INT_RGB);
    var pen = image.createGraphics();
    try {
      pen.setColor(Color.WHITE);
      pen.fillRect(0, 0, image.getWidth(), image.getHeight());
      for (int pixel = 0; pixel < raster.size(); pixel++) {
        image.setRGB(
            LEFT + pixel % raster.width(),
            TOP + pixel / raster.width(),
            colour(part(frame.values()[pixel])));
      }
      pen.setColor(Color.BLACK);
      pen.drawRect(LEFT - 1, TOP - 1, raster.width() + 1, raster.height() + 1);
      scale(image, pen);
      pen.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      pen.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, LINE));
      write(pen);
    } finally {
      pen.dispose();
    }
    return image;
  }

  private void scale(BufferedImage image, Graphics2D pen) {
    int left = LEFT + frame.raster().width() + GAP;
    int height = frame.raster().height();
    for (int row = 0; row < height; row++) {
      double part = 1 - row / Math.max(1.0, height - 1);
      int colour = colour((float) (isSigned() ? 2 * part - 1 : part));
      for (int column = 0; column < BAR; column++) {
        image.setRGB(left + column, TOP + row, colour);
      }
    }
    pen.drawRect(left - 1, TOP - 1, BAR + 1, height + 1);
  }

  private boolean isSigned() {
    return frame.slice().component() != FieldSlice.MAGNITUDE;
  }

  private void write(Graphics2D pen) {
    var raster = frame.raster();
    var slice = frame.slice();
    var bounds = raster.bounds();
    FieldKind field = slice.field();
    pen.drawString(
        "%s at %s = %s m, step %s, t = %s"
            .formatted(
                slice.quantity(),
                slice.axisName(),
                number(slice.at()),
                number(frame.moment().stepOf(field)),
                UnitPrefix.of(frame.moment().secondsOf(field), "s")
                    .text(frame.moment().secondsOf(field))),
        LEFT,
        TOP - LINE);
    int right = LEFT + raster.width();
    int bottom = TOP + raster.height();
    AxisTicks across =
        AxisTicks.within(bounds.low()[raster.across()], bounds.high()[raster.across()], MOST_STEPS);
    for (double value : across.values()) {
      int x = LEFT + (int) Math.round(across.part(value) * raster.width());
      pen.drawLine(x, bottom, x, bottom + TICK);
      String label = across.label(value);
      pen.drawString(label, x - width(pen, label) / 2, bottom + TICK + LINE);
    }
    String acrossName = "xyz".charAt(raster.across()) + " (m)";
    pen.drawString(
        acrossName, (LEFT + right - width(pen, acrossName)) / 2, bottom + TICK + 2 * LINE + 5);
    AxisTicks up =
        AxisTicks.within(bounds.low()[raster.up()], bounds.high()[raster.up()], MOST_STEPS);
    for (double value : up.values()) {
      int y = bottom - (int) Math.round(up.part(value) * raster.height());
      pen.drawLine(LEFT - TICK, y, LEFT, y);
      String label = up.label(value);
      pen.drawString(label, LEFT - TICK - 3 - width(pen, label), y + LINE / 2 - 2);
    }
    pen.drawString("xyz".charAt(raster.up()) + " (m)", 5, TOP - LINE);
    int bar = right + GAP + BAR;
    double full = largest == 0 ? 1 : largest;
    UnitPrefix scale = UnitPrefix.of(full, slice.unit());
    AxisTicks values =
        AxisTicks.within(
            isSigned() ? -full * scale.factor() : 0, full * scale.factor(), MOST_STEPS);
    for (double value : values.values()) {
      int y = bottom - (int) Math.round(values.part(value) * (raster.height() - 1));
      pen.drawLine(bar, y, bar + TICK, y);
      pen.drawString(values.label(value), bar + TICK + 3, y + LINE / 2 - 2);
    }
    pen.drawString("%s (%s)".formatted(slice.quantity(), scale.unit()), right + GAP, TOP - LINE);
    pen.drawString("largest %s".formatted(scale.text(largest)), right + GAP, bottom + TICK + LINE);
  }

  private static int width(Graphics2D pen, String text) {
    return pen.getFontMetrics().stringWidth(text);
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.4g", value).replaceAll("(\\.\\d*?)0+($|e)", "$1$2");
  }

  /** Returns a value relative to the largest; 0 if all are zero. */
  private float part(float value) {
    return largest == 0 ? value : value / largest;
  }

  /** Returns the colour of a value from -1 to 1. */
  private static int colour(float value) {
    if (Float.isNaN(value)) {
      return NOTHING;
    }
    int[] full = value < 0 ? COLD : WARM;
    double strength = Math.min(1, Math.abs(value));
    int colour = 0;
    for (int k = 0; k < 3; k++) {
      colour = colour << 8 | (int) Math.round(255 + strength * (full[k] - 255));
    }
    return colour;
  }
}
