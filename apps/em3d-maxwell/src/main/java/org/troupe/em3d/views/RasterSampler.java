package org.troupe.em3d.views;

import java.util.Arrays;
import org.troupe.em3d.maxwell.SubDomain;
import org.troupe.em3d.mesh.CellCorners;

/** Samples a field at the pixels of a raster whose centres lie in a sub-domain. */
public final class RasterSampler {

  private static final double TOLERANCE = 1e-9; // so that no pixel is lost between two cells

  private final SliceRaster raster;
  private final int[] pixels;
  private final int[] cells; // the cell of each pixel

  /**
   * Finds the pixels of the sub-domain. A pixel between cells belongs to the one with the lowest
   * global number, so that a picture does not depend on the division.
   *
   * @param numbers global numbers of the cells
   */
  public RasterSampler(SliceRaster raster, CellCorners corners, int[] numbers) {
    this.raster = raster;
    int[] owners = new int[raster.size()];
    Arrays.fill(owners, -1);
    double[] solid = new double[12];
    for (int cell = 0; cell < corners.cells(); cell++) {
      if (load(corners, cell, solid)) {
        claim(cell, solid, numbers, owners);
      }
    }
    int count = (int) Arrays.stream(owners).filter(owner -> owner >= 0).count();
    pixels = new int[count];
    cells = new int[count];
    int at = 0;
    for (int pixel = 0; pixel < owners.length; pixel++) {
      if (owners[pixel] >= 0) {
        pixels[at] = pixel;
        cells[at++] = owners[pixel];
      }
    }
  }

  /** Loads the corners of a cell; returns whether the plane of the slice intersects it. */
  private boolean load(CellCorners corners, int cell, double[] solid) {
    int axis = raster.slice().axis();
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < 4; k++) {
      System.arraycopy(
          corners.coordinates(), 3 * corners.vertices()[4 * cell + k], solid, 3 * k, 3);
      lowest = Math.min(lowest, solid[3 * k + axis]);
      highest = Math.max(highest, solid[3 * k + axis]);
    }
    double slack = TOLERANCE * (highest - lowest);
    return raster.slice().at() >= lowest - slack && raster.slice().at() <= highest + slack;
  }

  private void claim(int cell, double[] solid, int[] numbers, int[] owners) {
    double[] point = new double[3];
    point[raster.slice().axis()] = raster.slice().at();
    int across = raster.across();
    int up = raster.up();
    int left = raster.columnAt(least(solid, across));
    int right = raster.columnAt(most(solid, across));
    int top = raster.rowAt(most(solid, up));
    int bottom = raster.rowAt(least(solid, up));
    for (int row = Math.max(0, top); row <= Math.min(raster.height() - 1, bottom); row++) {
      point[up] = raster.up(row);
      for (int column = Math.max(0, left);
          column <= Math.min(raster.width() - 1, right);
          column++) {
        point[across] = raster.across(column);
        int pixel = row * raster.width() + column;
        boolean isFirst = owners[pixel] < 0 || numbers[cell] < numbers[owners[pixel]];
        if (isFirst && contains(solid, point)) {
          owners[pixel] = cell;
        }
      }
    }
  }

  private static double least(double[] solid, int axis) {
    return Math.min(
        Math.min(solid[axis], solid[3 + axis]), Math.min(solid[6 + axis], solid[9 + axis]));
  }

  private static double most(double[] solid, int axis) {
    return Math.max(
        Math.max(solid[axis], solid[3 + axis]), Math.max(solid[6 + axis], solid[9 + axis]));
  }

  /** Returns whether a cell contains a point: whether no barycentric coordinate is negative. */
  private static boolean contains(double[] solid, double[] point) {
    double whole = volume(solid, solid, -1);
    for (int k = 0; k < 4; k++) {
      if (volume(solid, point, k) / whole < -TOLERANCE) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns six times the signed volume, with corner {@code replaced} (-1: none) replaced by a
   * point.
   */
  private static double volume(double[] solid, double[] point, int replaced) {
    double[] d = new double[9];
    for (int k = 1; k < 4; k++) {
      for (int axis = 0; axis < 3; axis++) {
        double corner = replaced == k ? point[axis] : solid[3 * k + axis];
        double origin = replaced == 0 ? point[axis] : solid[axis];
        d[3 * (k - 1) + axis] = corner - origin;
      }
    }
    return d[0] * (d[4] * d[8] - d[5] * d[7])
        - d[1] * (d[3] * d[8] - d[5] * d[6])
        + d[2] * (d[3] * d[7] - d[4] * d[6]);
  }

  /** Returns the pixels; the array must not be changed. */
  public int[] pixels() {
    return pixels;
  }

  /** Returns the number of each pixel's cell, given the numbers of all cells. */
  public int[] numbers(int[] ofCells) {
    return Arrays.stream(cells).map(cell -> ofCells[cell]).toArray();
  }

  /** Returns the values at the pixels in the slice's unit. */
  public float[] sample(SubDomain subDomain) {
    FieldSlice slice = raster.slice();
    float[] values = new float[pixels.length];
    double[] point = new double[3];
    double[] vector = new double[3];
    point[slice.axis()] = slice.at();
    for (int k = 0; k < values.length; k++) {
      point[raster.across()] = raster.across(pixels[k] % raster.width());
      point[raster.up()] = raster.up(pixels[k] / raster.width());
      subDomain.at(slice.field(), cells[k], point[0], point[1], point[2], vector);
      values[k] = (float) slice.value(vector);
    }
    return values;
  }
}
