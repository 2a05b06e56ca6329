package org.troupe.em3d.views;

/**
 * The pixels of a slice, square ones, row after row from the top: {@code [row * width + column]}.
 * Columns go along the axis that follows that of the slice, rows down against the one after.
 *
 * @param bounds what is to be seen
 * @param width in pixels
 * @param height alike
 */
public record SliceRaster(FieldSlice slice, BoundingBox bounds, int width, int height) {

  /** The raster of the whole mesh whose longer side has so many pixels. */
  public static SliceRaster of(FieldSlice slice, BoundingBox bounds, int pixels) {
    double across = bounds.length(across(slice));
    double up = bounds.length(up(slice));
    double pixel = Math.max(across, up) / pixels;
    return new SliceRaster(
        slice,
        bounds,
        Math.max(1, (int) Math.round(across / pixel)),
        Math.max(1, (int) Math.round(up / pixel)));
  }

  private static int across(FieldSlice slice) {
    return slice.axis() == 0 ? 1 : 0;
  }

  private static int up(FieldSlice slice) {
    return slice.axis() == 2 ? 1 : 2;
  }

  /** The axis that columns go along. */
  public int across() {
    return across(slice);
  }

  /** The axis that rows go against. */
  public int up() {
    return up(slice);
  }

  /** How many pixels there are. */
  public int size() {
    return width * height;
  }

  /** Where the middle of a column is along its axis, metres. */
  double across(int column) {
    return bounds.low()[across()] + bounds.length(across()) * (column + 0.5) / width;
  }

  /** Where the middle of a row is along its axis, metres. */
  double up(int row) {
    return bounds.high()[up()] - bounds.length(up()) * (row + 0.5) / height;
  }

  /** The column that this place is in; may lie outside. */
  int columnAt(double place) {
    return (int) Math.floor((place - bounds.low()[across()]) / bounds.length(across()) * width);
  }

  /** The row that this place is in; may lie outside. */
  int rowAt(double place) {
    return (int) Math.floor((bounds.high()[up()] - place) / bounds.length(up()) * height);
  }
}
