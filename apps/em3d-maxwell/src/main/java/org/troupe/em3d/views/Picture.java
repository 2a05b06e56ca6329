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
import org.troupe.em3d.maxwell.Field;

/** A frame as a picture with its scale, made without a display. */
public final class Picture {

  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int BOTTOM = 45;
  private static final int RIGHT = 130;
  private static final int BAR = 16; // the width of the scale
  private static final int GAP = 20; // before it
  private static final int LINE = 12; // the height of a letter
  private static final int NOTHING = 0xffe8e8e8; // where no cell is

  // From cold to warm over white, as blue and red are told apart by nearly everybody.
  private static final int[] COLD = {33, 102, 172};
  private static final int[] WARM = {178, 24, 43};

  private final Frame frame;
  private final float largest;

  private Picture(Frame frame) {
    this.frame = frame;
    this.largest = frame.largest();
  }

  /**
   * Draws a frame.
   *
   * @return the bytes of a PNG
   * @throws UndrawableException if this machine has no font to write with
   */
  public static byte[] png(Frame frame) throws IOException {
    return Drawing.of(
        () -> {
          var bytes = new ByteArrayOutputStream();
          ImageIO.write(new Picture(frame).draw(), "png", bytes);
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
    return frame.slice().component() != Slice.MAGNITUDE;
  }

  private void write(Graphics2D pen) {
    var raster = frame.raster();
    var slice = frame.slice();
    var bounds = raster.bounds();
    Field field = slice.field();
    pen.drawString(
        "%s in %s at %s = %s m, step %s, %.5g s"
            .formatted(
                slice.quantity(),
                slice.unit(),
                slice.axisName(),
                number(slice.at()),
                number(frame.moment().stepOf(field)),
                frame.moment().secondsOf(field)),
        LEFT,
        TOP - LINE);
    int right = LEFT + raster.width();
    int bottom = TOP + raster.height();
    pen.drawString(number(bounds.low()[raster.across()]), LEFT, bottom + LINE + 4);
    pen.drawString("xyz".charAt(raster.across()) + " (m)", (LEFT + right) / 2, bottom + LINE + 4);
    pen.drawString(number(bounds.high()[raster.across()]), right - GAP, bottom + LINE + 4);
    pen.drawString(number(bounds.high()[raster.up()]), 5, TOP + LINE);
    pen.drawString("xyz".charAt(raster.up()) + " (m)", 5, (TOP + bottom) / 2);
    pen.drawString(number(bounds.low()[raster.up()]), 5, bottom);
    int beside = right + GAP + BAR + 5;
    pen.drawString("%.4g".formatted(largest), beside, TOP + LINE);
    pen.drawString(isSigned() ? "%.4g".formatted(-largest) : "0", beside, bottom);
    if (isSigned()) {
      pen.drawString("0", beside, (TOP + bottom + LINE) / 2);
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.4g", value).replaceAll("(\\.\\d*?)0+($|e)", "$1$2");
  }

  /** Of the largest value; 0 where all are. */
  private float part(float value) {
    return largest == 0 ? value : value / largest;
  }

  /** The colour of a value from -1 to 1. */
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
