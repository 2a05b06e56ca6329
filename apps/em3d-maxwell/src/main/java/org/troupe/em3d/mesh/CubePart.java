package org.troupe.em3d.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One box of the unit cube: a few numbers, from which the node of the sub-domain generates its
 * cells, so that no JVM stores the whole mesh.
 *
 * <p>Its outer faces are in the physical surfaces xmin, xmax, ymin, ymax, zmin and zmax, its cells
 * in the physical volume cube.
 *
 * <p>The cube has n = {@code points - 1} small cubes along each axis, each split into six
 * tetrahedra as Kuhn does. The cell of walk w in the small cube (i, j, k) has global number {@code
 * 6 (i + n (j + n k)) + w}, the vertex (i, j, k) has {@code i + points (j + points k)}.
 *
 * @param points mesh points along each axis, 2 to 710 (as cell numbers are ints)
 * @param division the division of the cube
 * @param rank the number of the box, see {@link CubeDivision}
 */
public record CubePart(int points, CubeDivision division, int rank) implements MeshPart {

  /*
   * Cache blocking: cells are numbered brick by brick, a brick being 16^3 small cubes. The data of two planes of a brick
   * (6 * 16^2 * 2 * 150 bytes = 460 kB) stay in the second-level cache; those of two planes of a large box do not. Bricks
   * of half the edge have more cells at their surface, whose neighbours are far ahead: 7 % slower on cube:65.
   */
  private static final int BRICK = 16;

  private static final int MAX_POINTS = 710;
  private static final int MAX_CELLS = (Integer.MAX_VALUE - 8) / 12;

  /** The first name is that of faces in no surface, of which a cube has none. */
  private static final List<String> WALL_NAMES =
      Stream.concat(Stream.of(""), CubeMesh.WALLS.stream()).toList();

  /** Rejects a part that does not exist. */
  public CubePart {
    if (points < 2 || points > MAX_POINTS) {
      throw new IllegalArgumentException(
          "a cube of %d points per axis cannot be made; use 2 to %d points"
              .formatted(points, MAX_POINTS));
    }
    division.mustFit(points);
    if (rank < 0 || rank >= division.size()) {
      throw new IllegalArgumentException(
          "division '%s' has no sub-domain %d; ranks are 0 to %d"
              .formatted(division, rank, division.size() - 1));
    }
  }

  /** Returns all parts of a cube, in rank order. */
  public static List<CubePart> all(int points, CubeDivision division) {
    List<CubePart> parts = new ArrayList<>();
    for (int rank = 0; rank < division.size(); rank++) {
      parts.add(new CubePart(points, division, rank));
    }
    return parts;
  }

  /** Returns the number of small cubes along each axis. */
  public int[] extents() {
    return new Box().extent.clone();
  }

  /** Returns the number of faces shared with other parts. */
  public long borderFaces() {
    Box box = new Box();
    long faces = 0;
    for (int axis = 0; axis < 3; axis++) {
      int sides = (box.place[axis] > 0 ? 1 : 0) + (box.place[axis] < box.counts[axis] - 1 ? 1 : 0);
      faces += 2L * sides * box.extent[(axis + 1) % 3] * box.extent[(axis + 2) % 3];
    }
    return faces;
  }

  @Override
  public BuiltPart build(boolean withCorners) {
    return new InnerCellsFirst(new Box().cells())
        .part(rank, List.of(CubeMesh.VOLUME), WALL_NAMES)
        .build(withCorners);
  }

  /**
   * The small cubes of one part, from corner {@code low} (inclusive) to {@code high} (exclusive),
   * and the numbering of their cells.
   */
  private final class Box {

    private final int[] counts = {division.x(), division.y(), division.z()};
    private final int[] place = {
      rank % division.x(), rank / division.x() % division.y(), rank / division.x() / division.y()
    };
    private final int[] low = new int[3];
    private final int[] high = new int[3];
    private final int[] extent = new int[3];
    private int[] order = {};

    Box() {
      long cubes = 1;
      for (int axis = 0; axis < 3; axis++) {
        low[axis] = firstCube(axis, place[axis]);
        high[axis] = firstCube(axis, place[axis] + 1);
        extent[axis] = high[axis] - low[axis];
        cubes *= extent[axis];
      }
      if (6 * cubes > MAX_CELLS) {
        throw new IllegalArgumentException(
            "sub-domain %d of division '%s' has %d cells, but one can hold %d; use more sub-domains"
                .formatted(rank, division, 6 * cubes, MAX_CELLS));
      }
    }

    private int firstCube(int axis, int part) {
      return (int) ((points - 1L) * part / counts[axis]);
    }

    CellBlock cells() {
      int[] cubes = inBricks();
      int cells = 6 * cubes.length;
      int[] vertices = new int[4 * cells];
      int[] neighbours = new int[4 * cells];
      int[] globalCells = new int[cells];
      CellRanges.process(
          cubes.length, (from, to) -> number(cubes, from, to, vertices, neighbours, globalCells));
      return new CellBlock(
          coordinates(), vertexNumbers(), vertices, neighbours, globalCells, new int[cells]);
    }

    /** Numbers the cells of the small cubes from..to-1, their vertices and their neighbours. */
    private void number(
        int[] cubes, int from, int to, int[] vertices, int[] neighbours, int[] globalCells) {
      int[] at = new int[3];
      int n = points - 1;
      for (int p = from; p < to; p++) {
        int cube = cubes[p];
        at[0] = low[0] + cube % extent[0];
        at[1] = low[1] + cube / extent[0] % extent[1];
        at[2] = low[2] + cube / extent[0] / extent[1];
        for (int walk = 0; walk < 6; walk++) {
          int cell = 6 * p + walk;
          globalCells[cell] = 6 * (at[0] + n * (at[1] + n * at[2])) + walk;
          walk(at, walk, vertices, 4 * cell);
          for (int face = 0; face < 4; face++) {
            neighbours[4 * cell + face] = behind(at, walk, face);
          }
        }
      }
    }

    /**
     * Returns the local numbers (x fastest) of the small cubes in the order of their cells; fills
     * the inverse, {@code order}.
     */
    private int[] inBricks() {
      int[] cubes = new int[extent[0] * extent[1] * extent[2]];
      order = new int[cubes.length];
      int next = 0;
      for (int bz = 0; bz < extent[2]; bz += BRICK) {
        for (int by = 0; by < extent[1]; by += BRICK) {
          for (int bx = 0; bx < extent[0]; bx += BRICK) {
            for (int z = bz; z < Math.min(bz + BRICK, extent[2]); z++) {
              for (int y = by; y < Math.min(by + BRICK, extent[1]); y++) {
                for (int x = bx; x < Math.min(bx + BRICK, extent[0]); x++) {
                  int cube = x + extent[0] * (y + extent[1] * z);
                  order[cube] = next;
                  cubes[next++] = cube;
                }
              }
            }
          }
        }
      }
      return cubes;
    }

    private void walk(int[] from, int walk, int[] vertices, int at) {
      int step = 1;
      int[] strides = new int[3];
      int vertex = 0;
      for (int axis = 0; axis < 3; axis++) {
        strides[axis] = step;
        vertex += step * (from[axis] - low[axis]);
        step *= extent[axis] + 1;
      }
      vertices[at] = vertex;
      for (int k = 0; k < 3; k++) {
        vertex += strides[KuhnSplit.WALKS[walk][k]];
        vertices[at + 1 + k] = vertex;
      }
    }

    /** Returns the neighbour behind a face, encoded as in {@link CellBlock#neighbours}. */
    private int behind(int[] at, int walk, int face) {
      int axis = 0;
      int direction = 0;
      if (face == 0) {
        axis = KuhnSplit.WALKS[walk][0];
        direction = 1;
      } else if (face == 3) {
        axis = KuhnSplit.WALKS[walk][2];
        direction = -1;
      }
      int there = at[axis] + direction;
      if (there < 0 || there > points - 2) {
        return TetrahedralPart.wall(1 + 2 * axis + (direction > 0 ? 1 : 0));
      }
      if (there < low[axis] || there >= high[axis]) {
        int[] other = place.clone();
        other[axis] += direction;
        return TetrahedralPart.ownedBy(division.rank(other[0], other[1], other[2]));
      }
      int cube = 0;
      for (int k = 2; k >= 0; k--) {
        cube = cube * extent[k] + at[k] - low[k] + (k == axis ? direction : 0);
      }
      return 6 * order[cube] + KuhnSplit.walkBehind(walk, face);
    }

    private double[] coordinates() {
      double[] coordinates = new double[3 * vertexCount()];
      double edge = CubeMesh.edge(points);
      int at = 0;
      for (int z = low[2]; z <= high[2]; z++) {
        for (int y = low[1]; y <= high[1]; y++) {
          for (int x = low[0]; x <= high[0]; x++) {
            coordinates[at++] = x * edge;
            coordinates[at++] = y * edge;
            coordinates[at++] = z * edge;
          }
        }
      }
      return coordinates;
    }

    private int[] vertexNumbers() {
      int[] numbers = new int[vertexCount()];
      int at = 0;
      for (int z = low[2]; z <= high[2]; z++) {
        for (int y = low[1]; y <= high[1]; y++) {
          for (int x = low[0]; x <= high[0]; x++) {
            numbers[at++] = x + points * (y + points * z);
          }
        }
      }
      return numbers;
    }

    private int vertexCount() {
      return (extent[0] + 1) * (extent[1] + 1) * (extent[2] + 1);
    }
  }
}
