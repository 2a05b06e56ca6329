package org.troupe.em3d.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the mesh of a sub-domain from its cells: order, ghosts and geometry. */
final class PartMeshBuilder {

  /** A border face, with its vertices' global numbers in ascending order. */
  private record BorderFace(int owner, int low, int middle, int high, int cell, int face) {

    static final Comparator<BorderFace> ORDER =
        Comparator.comparingInt(BorderFace::owner)
            .thenComparingInt(BorderFace::low)
            .thenComparingInt(BorderFace::middle)
            .thenComparingInt(BorderFace::high);
  }

  private final TetrahedralPart part;
  private final int cells;

  /** The old number of each cell in the new order, and the inverse. */
  private final int[] oldCell;

  private final int[] newCell;
  private int innerCells;

  PartMeshBuilder(TetrahedralPart part) {
    this.part = part;
    this.cells = part.globalCells().length;
    this.oldCell = new int[cells];
    this.newCell = new int[cells];
  }

  PartMesh build() {
    putInnerCellsFirst();
    List<BorderFace> border = borderFaces();
    int[] owners = border.stream().mapToInt(BorderFace::owner).distinct().toArray();
    int[] starts = new int[owners.length + 1];
    for (int k = 0, face = 0; k < owners.length; k++) {
      while (face < border.size() && border.get(face).owner() == owners[k]) {
        face++;
      }
      starts[k + 1] = face;
    }

    int[] places = new int[4 * cells];
    int[] wallCells = wallCells();
    int[] wallGroups = new int[wallCells.length];
    CellRanges.process(cells, (from, to) -> place(from, to, places, wallCells, wallGroups));
    int walls = wallCells.length;
    int[] borderCells = new int[border.size()];
    for (int k = 0; k < borderCells.length; k++) {
      BorderFace face = border.get(k);
      borderCells[k] = newCell[face.cell()];
      places[4 * borderCells[k] + face.face()] = 3 * (cells + walls + k);
    }
    return withGeometry(places, wallCells, wallGroups, borderCells, owners, starts);
  }

  /** Returns the cell in front of each wall face, in ascending order. */
  private int[] wallCells() {
    int[] neighbours = part.neighbours();
    int walls = 0;
    for (int neighbour : neighbours) {
      if (TetrahedralPart.isWall(neighbour)) {
        walls++;
      }
    }
    int[] wallCells = new int[walls];
    int next = 0;
    for (int cell = 0; cell < cells; cell++) {
      for (int face = 4 * oldCell[cell]; face < 4 * oldCell[cell] + 4; face++) {
        if (TetrahedralPart.isWall(neighbours[face])) {
          wallCells[next++] = cell;
        }
      }
    }
    return wallCells;
  }

  /** Returns the number of the first wall face of a cell or a later one. */
  private static int firstWall(int[] wallCells, int cell) {
    int wall = Arrays.binarySearch(wallCells, cell);
    if (wall < 0) {
      return -1 - wall;
    }
    while (wall > 0 && wallCells[wall - 1] == cell) {
      wall--;
    }
    return wall;
  }

  /** Fills in the places behind the faces of the cells from..to-1, except those of borders. */
  private void place(int from, int to, int[] places, int[] wallCells, int[] wallGroups) {
    int[] neighbours = part.neighbours();
    int wall = firstWall(wallCells, from);
    for (int cell = from; cell < to; cell++) {
      for (int face = 0; face < 4; face++) {
        int neighbour = neighbours[4 * oldCell[cell] + face];
        if (neighbour >= 0) {
          places[4 * cell + face] = 3 * newCell[neighbour];
        } else if (TetrahedralPart.isWall(neighbour)) {
          places[4 * cell + face] = 3 * (cells + wall);
          wallGroups[wall++] = TetrahedralPart.wallGroup(neighbour);
        }
      }
    }
  }

  CellCorners corners() {
    putInnerCellsFirst();
    int[] vertices = new int[4 * cells];
    for (int cell = 0; cell < cells; cell++) {
      System.arraycopy(part.vertices(), 4 * oldCell[cell], vertices, 4 * cell, 4);
    }
    return new CellCorners(part.coordinates(), vertices);
  }

  private void putInnerCellsFirst() {
    int inner = 0;
    for (int cell = 0; cell < cells; cell++) {
      if (!isOnBorder(cell)) {
        newCell[cell] = inner;
        oldCell[inner++] = cell;
      }
    }
    innerCells = inner;
    int next = inner;
    for (int cell = 0; cell < cells; cell++) {
      if (isOnBorder(cell)) {
        newCell[cell] = next;
        oldCell[next++] = cell;
      }
    }
  }

  private boolean isOnBorder(int cell) {
    for (int face = 0; face < 4; face++) {
      if (TetrahedralPart.owner(part.neighbours()[4 * cell + face]) >= 0) {
        return true;
      }
    }
    return false;
  }

  private List<BorderFace> borderFaces() {
    List<BorderFace> border = new ArrayList<>();
    int[] triple = new int[3];
    for (int cell = 0; cell < cells; cell++) {
      for (int face = 0; face < 4; face++) {
        int owner = TetrahedralPart.owner(part.neighbours()[4 * cell + face]);
        if (owner < 0) {
          continue;
        }
        for (int k = 0, at = 0; k < 4; k++) {
          if (k != face) {
            triple[at++] = part.vertexNumbers()[part.vertices()[4 * cell + k]];
          }
        }
        Arrays.sort(triple);
        border.add(new BorderFace(owner, triple[0], triple[1], triple[2], cell, face));
      }
    }
    border.sort(BorderFace.ORDER);
    return border;
  }

  private PartMesh withGeometry(
      int[] places,
      int[] wallCells,
      int[] wallGroups,
      int[] borderCells,
      int[] owners,
      int[] starts) {
    Geometry geometry = new Geometry(wallCells);
    return new PartMesh(
        part.rank(),
        cells,
        innerCells,
        geometry.volumes,
        geometry.surfaces,
        geometry.barycentres,
        geometry.weights(),
        places,
        wallCells,
        geometry.wallCentres,
        geometry.wallWeights,
        borderCells,
        owners,
        starts,
        geometry.globalCells,
        geometry.regions,
        part.regionNames(),
        wallGroups,
        part.wallNames());
  }

  /** The geometry of the cells and the wall faces, in the new order. */
  private final class Geometry {

    private final int[] wallCells;
    private final double[] volumes = new double[cells];
    private final double[] surfaces = new double[cells];
    private final double[] barycentres = new double[3 * cells];
    private final int[] globalCells = new int[cells];
    private final int[] regions = new int[cells];
    private final byte[] kinds = new byte[cells]; // of the curl weights
    private final double[] wallCentres;
    private final double[] wallWeights;

    /** The shapes of the cells from..to-1; {@code null} if there are too many. */
    private record Range(int from, int to, CurlWeights.@Nullable Shapes shapes) {}

    Geometry(int[] wallCells) {
      this.wallCells = wallCells;
      wallCentres = new double[3 * wallCells.length];
      wallWeights = new double[3 * wallCells.length];
    }

    /** Computes all arrays; returns the weights of the curl. */
    CurlWeights weights() {
      CurlWeights.Shapes all = new CurlWeights.Shapes();
      for (Range range : CellRanges.answers(cells, this::compute)) {
        if (range.shapes == null || !all.merge(range.shapes, kinds, range.from, range.to)) {
          return ownWeights();
        }
      }
      return all.weights(kinds);
    }

    private CurlWeights ownWeights() {
      double[] values = new double[CurlWeights.SIZE * cells + PartMesh.MARGIN];
      CellRanges.process(
          cells,
          (from, to) -> {
            Tetrahedron shape = new Tetrahedron();
            for (int cell = from; cell < to; cell++) {
              load(shape, cell);
              CurlWeights.store(shape, values, CurlWeights.SIZE * cell);
            }
          });
      return new CurlWeights(values, null);
    }

    private boolean load(Tetrahedron shape, int cell) {
      int[] v = part.vertices();
      int at = 4 * oldCell[cell];
      return shape.load(part.coordinates(), v[at], v[at + 1], v[at + 2], v[at + 3]);
    }

    private Range compute(int from, int to) {
      Tetrahedron shape = new Tetrahedron();
      CurlWeights.@Nullable Shapes shapes = new CurlWeights.Shapes();
      int wall = firstWall(wallCells, from);
      for (int cell = from; cell < to; cell++) {
        int old = oldCell[cell];
        if (!load(shape, cell)) {
          throw new MeshException(
              "cell %d of sub-domain %d has no volume; repair the mesh"
                  .formatted(part.globalCells()[old], part.rank()));
        }
        volumes[cell] = shape.volume;
        surfaces[cell] = shape.surface;
        System.arraycopy(shape.barycentre, 0, barycentres, 3 * cell, 3);
        int kind = shapes == null ? -1 : shapes.number(shape);
        if (kind < 0) {
          shapes = null;
        } else {
          kinds[cell] = (byte) kind;
        }
        for (int face = 0; face < 4; face++) {
          if (TetrahedralPart.isWall(part.neighbours()[4 * old + face])) {
            putWall(wall++, old, face, shape);
          }
        }
        globalCells[cell] = part.globalCells()[old];
        regions[cell] = part.regions()[old];
      }
      return new Range(from, to, shapes);
    }

    private void putWall(int wall, int old, int face, Tetrahedron shape) {
      int[] v = part.vertices();
      for (int axis = 0; axis < 3; axis++) {
        wallCentres[3 * wall + axis] =
            centre(
                axis,
                v[4 * old + (face + 1) % 4],
                v[4 * old + (face + 2) % 4],
                v[4 * old + (face + 3) % 4]);
        wallWeights[3 * wall + axis] = shape.areas[3 * face + axis] / (2 * shape.volume);
      }
    }
  }

  private double centre(int axis, int a, int b, int c) {
    double[] x = part.coordinates();
    return (x[3 * a + axis] + x[3 * b + axis] + x[3 * c + axis]) / 3;
  }
}
