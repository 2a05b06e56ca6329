package org.troupe.em3d.mesh;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The division of a cube into {@code x * y * z} boxes, one for each sub-domain.
 *
 * <p>Sub-domain (i, j, k) has rank {@code i + x (j + y k)}. With n cubes per axis it owns the cubes
 * {@code floor(n i / x)} to {@code floor(n (i + 1) / x) - 1} along x, and so along y and z.
 *
 * @param x boxes along x, at least 1
 * @param y boxes along y, at least 1
 * @param z boxes along z, at least 1
 */
public record CubeDivision(int x, int y, int z) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,6})[xX](\\d{1,6})[xX](\\d{1,6})");

  /** Rejects counts below 1. */
  public CubeDivision {
    if (x < 1 || y < 1 || z < 1) {
      throw new IllegalArgumentException(
          "division '%dx%dx%d' has an axis without a sub-domain; every count must be at least 1"
              .formatted(x, y, z));
    }
    if ((long) x * y * z > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "division '%dx%dx%d' has more than 2^31 - 1 sub-domains; use smaller counts"
              .formatted(x, y, z));
    }
  }

  /** Reads "AxBxC", for example "2x2x1". */
  public static CubeDivision parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "division '%s' is not of the form AxBxC; write for example '2x2x1'".formatted(text));
    }
    return new CubeDivision(
        Integer.parseInt(form.group(1)),
        Integer.parseInt(form.group(2)),
        Integer.parseInt(form.group(3)));
  }

  /**
   * Returns the division into this many sub-domains that has the fewest border faces, the largest
   * count along x.
   *
   * <p>Border faces grow with {@code x + y + z} (see {@link #borderFaces}), so it is the triple of
   * divisors with the least sum, among those that leave every sub-domain a cube.
   *
   * @param points mesh points per axis of the cube
   * @throws IllegalArgumentException if no such division fits the mesh
   */
  public static CubeDivision auto(int parts, int points) {
    if (parts < 1) {
      throw new IllegalArgumentException(
          "%d sub-domains asked; ask for at least 1".formatted(parts));
    }
    CubeDivision best = fewestBorders(parts, points);
    if (best == null) {
      throw new IllegalArgumentException(
          ("no division into %d sub-domains fits a cube of %d points, which has %d cubes per axis;"
                  + " use a number with smaller divisors or a finer mesh")
              .formatted(parts, points, points - 1));
    }
    return best;
  }

  /**
   * Returns the division for this number of nodes: the one with at most as many sub-domains whose
   * largest sub-domain is smallest. Of several such divisions, it is the one with the fewest
   * sub-domains.
   *
   * <p>For example, 17 nodes get 4x2x2 sub-domains rather than 17 slices, if these are no smaller.
   *
   * @param points mesh points per axis of the cube
   */
  public static CubeDivision forNodes(int nodes, int points) {
    CubeDivision best = new CubeDivision(1, 1, 1);
    for (int parts = 2; parts <= nodes; parts++) {
      CubeDivision each = fewestBorders(parts, points);
      if (each != null && each.largest(points) < best.largest(points)) {
        best = each;
      }
    }
    return best;
  }

  /**
   * Returns the division with the fewest border faces; {@code null} if no division into this number
   * of parts fits.
   */
  private static @Nullable CubeDivision fewestBorders(int parts, int points) {
    CubeDivision best = null;
    for (int x = 1; x <= Math.min(parts, points - 1); x++) {
      if (parts % x != 0) {
        continue;
      }
      for (int y = 1; y <= Math.min(x, parts / x); y++) {
        int z = parts / x / y;
        if (parts % (x * y) != 0 || z > y) {
          continue;
        }
        if (best == null || x + y + z < best.x + best.y + best.z) {
          best = new CubeDivision(x, y, z);
        }
      }
    }
    return best;
  }

  /** Returns the number of small cubes in the largest sub-domain. */
  public long largest(int points) {
    return (long) thickest(x, points) * thickest(y, points) * thickest(z, points);
  }

  private static int thickest(int slices, int points) {
    return (points - 2 + slices) / slices;
  }

  /** Returns the number of sub-domains. */
  public int size() {
    return x * y * z;
  }

  /** Returns the rank of the sub-domain at (i, j, k), each counted from 0. */
  public int rank(int i, int j, int k) {
    return i + x * (j + y * k);
  }

  /**
   * Counts the faces between sub-domains, each once for both of its sides: {@code 4 (points - 1)^2
   * (x + y + z - 3)}.
   *
   * <p>Along x there are {@code x - 1} cutting planes; each carries {@code (points - 1)^2} squares
   * of two triangles, and a triangle is a border face of two sub-domains. Where the planes lie does
   * not matter.
   */
  public long borderFaces(int points) {
    return 4L * (points - 1) * (points - 1) * ((long) x + y + z - 3);
  }

  /** Rejects a division that leaves a sub-domain without a small cube. */
  void mustFit(int points) {
    if (Math.max(x, Math.max(y, z)) > points - 1) {
      throw new IllegalArgumentException(
          ("division '%s' leaves sub-domains empty: a cube of %d points has %d cubes per axis; use"
                  + " fewer sub-domains along an axis or a finer mesh")
              .formatted(this, points, points - 1));
    }
  }

  /** Returns the form that {@link #parse} reads. */
  @Override
  public String toString() {
    return x + "x" + y + "x" + z;
  }
}
