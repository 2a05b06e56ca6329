package org.troupe.em3d.views;

/**
 * The square pixels of a slice, row by row from the top: {@code [row * width + column]}. Columns
 * ascend along the first of the other two axes, and rows descend along the second.
 *
 * @param bounds the region to draw
 * @param width in pixels
 * @param height in pixels
 */
public record SliceRaster(FieldSlice slice, BoundingBox bounds, int width, int height) {

  /** Returns the raster of a region whose longer side has this many pixels. */
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

  /** Returns the axis along which columns ascend. */
  public int across() {
    return across(slice);
  }

  /** Returns the axis along which rows descend. */
  public int up() {
    return up(slice);
  }

  /** Returns the number of pixels. */
  public int size() {
    return width * height;
  }

  /** Returns the coordinate of a column's centre, metres. */
  double across(int column) {
    return bounds.low()[across()] + bounds.length(across()) * (column + 0.5) / width;
  }

  /** Returns the coordinate of a row's centre, metres. */
  double up(int row) {
    return bounds.high()[up()] - bounds.length(up()) * (row + 0.5) / height;
  }

  /** Returns the column at a coordinate; it may lie outside the raster. */
  int columnAt(double place) {
    return (int) Math.floor((place - bounds.low()[across()]) / bounds.length(across()) * width);
  }

  /** Returns the row at a coordinate; it may lie outside the raster. */
  int rowAt(double place) {
    return (int) Math.floor((bounds.high()[up()] - place) / bounds.length(up()) * height);
  }
}
