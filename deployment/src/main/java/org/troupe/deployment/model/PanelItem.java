package org.troupe.deployment.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * An item of a panel that a program shows on the page of its run. Immutable.
 *
 * @see org.troupe.deployment.Grid#panel
 */
public sealed interface PanelItem {

  /** The most points of a curve: more than a screen can show. */
  int MOST_POINTS = 4_000;

  /** The most pixels of a picture, such as 256 times 256. */
  int MOST_PIXELS = 1 << 16;

  /** A value with its name, such as {@code step} and {@code 20 of 1,000}. */
  record Fact(String name, String value) implements PanelItem {}

  /** A line of text, such as the report of an event. */
  record Line(String text) implements PanelItem {}

  /**
   * A button, and what it does. The action runs on a thread of the library, and may block.
   *
   * @param name 1 to 200 characters on one line
   */
  record Button(String name, Runnable action) implements PanelItem {

    private static final int LONGEST_NAME = 200; // characters

    /** Checks the name. */
    public Button {
      if (name.isEmpty()
          || name.length() > LONGEST_NAME
          || name.chars().anyMatch(Character::isISOControl)) {
        throw new IllegalArgumentException(
            "'%s' is no name of a button; give 1 to %d characters on one line"
                .formatted(name, LONGEST_NAME));
      }
    }
  }

  /**
   * What an axis of a curve shows.
   *
   * @param unit such as {@code V/m}, to which the page adds prefixes; empty for plain numbers
   */
  record Axis(String name, String unit) {}

  /**
   * A curve of straight lines between points.
   *
   * @param across the axis of {@code xs}
   * @param up the axis of {@code ys}
   * @param xs in ascending order
   * @param ys as many; NaN where there is no value
   */
  record Curve(String title, Axis across, Axis up, List<Double> xs, List<Double> ys)
      implements PanelItem {

    /** Checks and copies the points. */
    public Curve {
      xs = List.copyOf(xs);
      ys = List.copyOf(ys);
      if (xs.size() != ys.size() || xs.size() > MOST_POINTS) {
        throw new IllegalArgumentException(
            "the curve '%s' has %,d x and %,d y; give as many of both, and at most %,d"
                .formatted(title, xs.size(), ys.size(), MOST_POINTS));
      }
      for (var i = 1; i < xs.size(); i++) {
        if (!(xs.get(i - 1) < xs.get(i))) {
          throw new IllegalArgumentException(
              "the curve '%s' goes from x = %s to %s; give the points in ascending order"
                  .formatted(title, xs.get(i - 1), xs.get(i)));
        }
      }
    }
  }

  /**
   * A picture: a number for each pixel, which the page shows as a colour.
   *
   * @param note what the reader should know of it, such as its time; may be empty
   * @param unit of the numbers
   * @param largest the amount of the number that has the strongest colour; 0 if all are 0
   * @param pixels shorts, little-endian, in base 64, row by row from the top: from -32,767, which
   *     stands for {@code -largest}, to 32,767; -32,768 where there is nothing. In a picture of
   *     parts, the index of the part
   * @param labels the names of the parts; empty in a picture of numbers
   */
  record Picture(
      String title,
      String note,
      String unit,
      int width,
      int height,
      double largest,
      String pixels,
      List<String> labels)
      implements PanelItem {

    private static final int STRONGEST = Short.MAX_VALUE;
    private static final int NOTHING = Short.MIN_VALUE;

    /** Checks the pixels, and copies the labels. */
    public Picture {
      labels = List.copyOf(labels);
      var bytes = Base64.getDecoder().decode(pixels);
      checkSize(title, width, height, bytes.length / Short.BYTES);
      if (bytes.length % Short.BYTES != 0) {
        throw new IllegalArgumentException(
            "the picture '%s' has %,d bytes; give two for each pixel"
                .formatted(title, bytes.length));
      }
      if (!(largest >= 0 && largest < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "the largest amount of the picture '%s' is %s; give a finite one of at least 0"
                .formatted(title, largest));
      }
      checkLabels(title, labels);
      if (!labels.isEmpty()) {
        var parts = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
        while (parts.hasRemaining()) {
          var part = parts.get();
          if (part != NOTHING) {
            checkPart(title, part, labels);
          }
        }
      }
    }

    /**
     * Returns a picture of numbers: blue below 0, orange above.
     *
     * @param values row by row from the top; NaN where there is nothing
     */
    public static Picture of(
        String title, String note, String unit, int width, int height, float[] values) {
      var largest = 0f;
      for (var value : values) {
        if (Float.isFinite(value)) {
          largest = Math.max(largest, Math.abs(value));
        }
      }
      var scale = largest == 0 ? 0 : STRONGEST / (double) largest;
      var pixels =
          encoded(
              title,
              width,
              height,
              values.length,
              i -> Float.isFinite(values[i]) ? (int) Math.round(scale * values[i]) : NOTHING);
      return new Picture(title, note, unit, width, height, largest, pixels, List.of());
    }

    /**
     * Returns a picture of parts, each with a colour.
     *
     * @param parts for each pixel, row by row from the top, the index of its label; -1 where there
     *     is nothing
     */
    public static Picture ofParts(
        String title, String note, int width, int height, int[] parts, List<String> labels) {
      checkLabels(title, labels);
      for (var each : parts) {
        if (each >= 0) {
          checkPart(title, each, labels);
        }
      }
      var pixels =
          encoded(title, width, height, parts.length, i -> parts[i] < 0 ? NOTHING : parts[i]);
      return new Picture(title, note, "", width, height, 0, pixels, labels);
    }

    private static String encoded(
        String title, int width, int height, int given, IntUnaryOperator pixel) {
      checkSize(title, width, height, given);
      var bytes = ByteBuffer.allocate(Short.BYTES * given).order(ByteOrder.LITTLE_ENDIAN);
      for (var i = 0; i < given; i++) {
        bytes.putShort((short) pixel.applyAsInt(i));
      }
      return Base64.getEncoder().encodeToString(bytes.array());
    }

    private static void checkSize(String title, int width, int height, int given) {
      var size = (long) width * height;
      if (width < 1 || height < 1 || size != given || size > MOST_PIXELS) {
        throw new IllegalArgumentException(
            "the picture '%s' of %d x %d has %,d values; give one for each pixel, of %,d at most"
                .formatted(title, width, height, given, MOST_PIXELS));
      }
    }

    private static void checkLabels(String title, List<String> labels) {
      if (labels.size() > STRONGEST) {
        throw new IllegalArgumentException(
            "the picture '%s' has %,d labels; give at most %,d"
                .formatted(title, labels.size(), STRONGEST));
      }
    }

    private static void checkPart(String title, int part, List<String> labels) {
      if (part < 0 || part >= labels.size()) {
        throw new IllegalArgumentException(
            "the picture '%s' has a part %d, and only %d labels"
                .formatted(title, part, labels.size()));
      }
    }
  }
}
