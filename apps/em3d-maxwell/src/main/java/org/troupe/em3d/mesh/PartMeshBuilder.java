package org.troupe.em3d.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

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
    int[] wallCells =
        new int[(int) Arrays.stream(part.neighbours()).filter(TetrahedralPart::isWall).count()];
    int[] wallGroups = new int[wallCells.length];
    int walls = 0;
    for (int cell = 0; cell < cells; cell++) {
      for (int face = 0; face < 4; face++) {
        int neighbour = part.neighbours()[4 * oldCell[cell] + face];
        if (neighbour >= 0) {
          places[4 * cell + face] = 3 * newCell[neighbour];
        } else if (TetrahedralPart.isWall(neighbour)) {
          places[4 * cell + face] = 3 * (cells + walls);
          wallGroups[walls] = TetrahedralPart.wallGroup(neighbour);
          wallCells[walls++] = cell;
        }
      }
    }
    int[] borderCells = new int[border.size()];
    for (int k = 0; k < borderCells.length; k++) {
      BorderFace face = border.get(k);
      borderCells[k] = newCell[face.cell()];
      places[4 * borderCells[k] + face.face()] = 3 * (cells + walls + k);
    }
    return withGeometry(places, wallCells, wallGroups, borderCells, owners, starts);
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
    double[] volumes = new double[cells];
    double[] surfaces = new double[cells];
    double[] barycentres = new double[3 * cells];
    CurlWeights.Collection weights = new CurlWeights.Collection(cells);
    int[] globalCells = new int[cells];
    int[] regions = new int[cells];
    double[] wallCentres = new double[3 * wallCells.length];
    double[] wallWeights = new double[3 * wallCells.length];
    int wall = 0;
    Tetrahedron shape = new Tetrahedron();
    for (int cell = 0; cell < cells; cell++) {
      int old = oldCell[cell];
      int[] v = part.vertices();
      if (!shape.load(
          part.coordinates(), v[4 * old], v[4 * old + 1], v[4 * old + 2], v[4 * old + 3])) {
        throw new MeshException(
            "cell %d of sub-domain %d has no volume; repair the mesh"
                .formatted(part.globalCells()[old], part.rank()));
      }
      volumes[cell] = shape.volume;
      surfaces[cell] = shape.surface;
      System.arraycopy(shape.barycentre, 0, barycentres, 3 * cell, 3);
      weights.add(shape);
      for (int face = 0; face < 4; face++) {
        if (TetrahedralPart.isWall(part.neighbours()[4 * old + face])) {
          for (int axis = 0; axis < 3; axis++) {
            wallCentres[3 * wall + axis] =
                centre(
                    axis,
                    v[4 * old + (face + 1) % 4],
                    v[4 * old + (face + 2) % 4],
                    v[4 * old + (face + 3) % 4]);
            wallWeights[3 * wall + axis] = shape.areas[3 * face + axis] / (2 * shape.volume);
          }
          wall++;
        }
      }
      globalCells[cell] = part.globalCells()[old];
      regions[cell] = part.regions()[old];
    }
    return new PartMesh(
        part.rank(),
        cells,
        innerCells,
        volumes,
        surfaces,
        barycentres,
        weights.all(),
        places,
        wallCells,
        wallCentres,
        wallWeights,
        borderCells,
        owners,
        starts,
        globalCells,
        regions,
        part.regionNames(),
        wallGroups,
        part.wallNames());
  }

  private double centre(int axis, int a, int b, int c) {
    double[] x = part.coordinates();
    return (x[3 * a + axis] + x[3 * b + axis] + x[3 * c + axis]) / 3;
  }
}
