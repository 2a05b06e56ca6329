package org.troupe.em3d.mesh;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The undivided unit cube. Its geometry is computed, not stored; cells are numbered and split as in
 * {@link CubePart}.
 *
 * @param points mesh points along each axis
 */
public record CubeMesh(int points) implements WholeMesh {

  /** The physical volume of all cells. */
  static final String VOLUME = "cube";

  /** The physical surfaces, two for each axis. */
  static final List<String> WALLS = List.of("xmin", "xmax", "ymin", "ymax", "zmin", "zmax");

  private static final double TOLERANCE = 1e-12;

  /** The number of bits of the largest cube count along an axis. */
  private static final int STEP_BITS = 10;

  /** The small cube of a cell, and its walk from the lowest corner. */
  private record Place(int x, int y, int z, int[] walk) {

    int along(int axis) {
      return axis == 0 ? x : axis == 1 ? y : z;
    }
  }

  /**
   * Returns the edge of a small cube, with its last bits cleared so that all its multiples are
   * exact. Small cubes are then equal to the last bit, and their cells share their curl weights.
   */
  static double edge(int points) {
    return Double.longBitsToDouble(
        Double.doubleToRawLongBits(1.0 / (points - 1)) & -1L << STEP_BITS);
  }

  private Place place(int cell) {
    int n = points - 1;
    int cube = cell / 6;
    return new Place(cube % n, cube / n % n, cube / n / n, KuhnSplit.WALKS[cell % 6]);
  }

  @Override
  public int cells() {
    int n = points - 1;
    return 6 * n * n * n;
  }

  @Override
  public Set<String> volumeGroups() {
    return Set.of(VOLUME);
  }

  @Override
  public Set<String> surfaceGroups() {
    return new LinkedHashSet<>(WALLS); // ordered, for messages
  }

  @Override
  public String region(int cell) {
    return VOLUME;
  }

  /** Three of the four vertices follow the first step of a walk, and one follows the last step. */
  @Override
  public double barycentre(int cell, int axis) {
    Place place = place(cell);
    return (place.along(axis) + (3 - step(place, axis)) / 4.0) * edge(points);
  }

  @Override
  public double centre(int cell, int face, int axis) {
    Place place = place(cell);
    int step = step(place, axis);
    int beyond =
        face > step ? 2 - step : 3 - step; // number of the face's three vertices after the step
    return (place.along(axis) + beyond / 3.0) * edge(points);
  }

  @Override
  public double coordinate(int cell, int vertex, int axis) {
    Place place = place(cell);
    return (place.along(axis) + (vertex > step(place, axis) ? 1 : 0)) * edge(points);
  }

  @Override
  public double volume(int cell) {
    return edge(points) * edge(points) * edge(points) / 6;
  }

  /** Returns the step of a walk along an axis: 0, 1 or 2. */
  private static int step(Place place, int axis) {
    return place.walk[0] == axis ? 0 : place.walk[1] == axis ? 1 : 2;
  }

  @Override
  public double low(int axis) {
    return 0;
  }

  @Override
  public double high(int axis) {
    return 1;
  }

  /**
   * Returns area over volume of two halves of a square and two halves of a diagonal plane; the
   * volume is a sixth of a cube.
   */
  @Override
  public double[] areas(int cell) {
    double square = 3 / edge(points);
    double diagonal = Math.sqrt(2) * square;
    return new double[] {square, diagonal, diagonal, square};
  }

  @Override
  public boolean contains(int cell, double x, double y, double z) {
    Place place = place(cell);
    double[] point = {x, y, z};
    double before = 1 + TOLERANCE;
    for (int axis : place.walk) {
      double within = point[axis] * (points - 1) - place.along(axis);
      if (within > before + TOLERANCE) {
        return false;
      }
      before = within;
    }
    return before >= -TOLERANCE;
  }

  @Override
  public int behind(int cell, int face) {
    Place place = place(cell);
    int[] at = {place.x, place.y, place.z};
    if (face == 0) {
      at[place.walk[0]]++;
    } else if (face == 3) {
      at[place.walk[2]]--;
    }
    int n = points - 1;
    for (int each : at) {
      if (each < 0 || each >= n) {
        return -1;
      }
    }
    return 6 * (at[0] + n * (at[1] + n * at[2])) + KuhnSplit.walkBehind(cell % 6, face);
  }

  @Override
  public String wall(int cell, int face) {
    int[] walk = place(cell).walk;
    return WALLS.get(face == 0 ? 2 * walk[0] + 1 : 2 * walk[2]);
  }

  @Override
  public IntStream around(double[] low, double[] high) {
    int n = points - 1;
    int[] from = new int[3];
    int[] count = new int[3];
    for (int axis = 0; axis < 3; axis++) {
      from[axis] = (int) Math.clamp(Math.floor(low[axis] * n) - 1, 0, n - 1);
      count[axis] = (int) Math.clamp(Math.floor(high[axis] * n) + 1, 0, n - 1) - from[axis] + 1;
    }
    return IntStream.range(0, Math.max(0, count[2]))
        .flatMap(
            k ->
                IntStream.range(0, Math.max(0, count[1]))
                    .flatMap(
                        j -> {
                          int row = from[0] + n * (from[1] + j + n * (from[2] + k));
                          return IntStream.range(6 * row, 6 * (row + Math.max(0, count[0])));
                        }));
  }
}
