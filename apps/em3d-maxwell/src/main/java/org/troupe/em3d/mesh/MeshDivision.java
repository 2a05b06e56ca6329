package org.troupe.em3d.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The division of a mesh from a file into parts, and the source of their cells. Can be used by many
 * threads.
 */
public final class MeshDivision implements CellSource {

  /*
   * A part's cells are cut out of the mesh block by block, as its node asks for them, so no JVM holds a part
   * beside the mesh. Of the division only two numbers per cell are stored: the cells in the order of the parts,
   * and the inverse, from which the parts of neighbours and their numbers there follow.
   */

  /** Cells of a block: 1.5 MB. */
  static final int BLOCK = 1 << 15;

  private final TetrahedralMesh mesh;
  private final MeshPartitioner partitioner;
  private final int[] starts; // of the parts within the order, and its end
  private final List<TetrahedralPart> parts = new ArrayList<>();
  private final String by;
  private long faces;
  private @Nullable Order order; // null after release()

  /**
   * The cells in the order of the parts; within a part inner cells come first, and then both kinds
   * follow one Hilbert curve.
   *
   * @param cells global numbers
   * @param places the inverse
   * @param vertexNumbers of the vertices along the curve, so that vertices near in space have near
   *     numbers
   * @param localVertices scratch array, filled with -1 between two calls
   */
  private record Order(int[] cells, int[] places, int[] vertexNumbers, int[] localVertices) {}

  /** Divides a mesh; the number of parts is valid. */
  MeshDivision(TetrahedralMesh mesh, MeshPartitioner partitioner, int count) {
    this.mesh = mesh;
    this.partitioner = partitioner;
    starts = new int[count + 1];
    HeapCompaction.afterPhase(mesh.cells()); // the reading
    double[] barycentres = mesh.barycentres();
    MeshPartitioner.Owners owners =
        partitioner.owners(mesh.arrays().neighbours(), barycentres, count);
    by = owners.by();
    int[] owner = owners.ofCells();
    int[] inner = new int[count];
    int[] walls = new int[count];
    int[] borders = new int[count];
    int[] neighbours = mesh.arrays().neighbours();
    for (int cell = 0; cell < owner.length; cell++) {
      int rank = owner[cell];
      starts[rank + 1]++;
      int across = 0;
      for (int face = 4 * cell; face < 4 * cell + 4; face++) {
        if (neighbours[face] < 0) {
          walls[rank]++;
        } else if (owner[neighbours[face]] != rank) {
          across++;
        }
      }
      borders[rank] += across;
      inner[rank] += across == 0 ? 1 : 0;
    }
    for (int rank = 0; rank < count; rank++) {
      parts.add(
          new TetrahedralPart(
              rank,
              starts[rank + 1],
              inner[rank],
              walls[rank],
              borders[rank],
              mesh.regionNames(),
              mesh.wallNames(),
              this));
      faces += borders[rank];
      starts[rank + 1] += starts[rank];
    }
    order = ordered(owner, HilbertCurve.order(barycentres));
  }

  /** Returns the parts, in rank order. */
  public List<TetrahedralPart> parts() {
    return List.copyOf(parts);
  }

  /** Returns the number of cells of all parts. */
  public int cells() {
    return mesh.cells();
  }

  /** Returns a description of the partitioner. */
  public String partitioner() {
    return by;
  }

  /** Returns the number of faces between two parts. */
  public long faces() {
    return faces / 2;
  }

  /**
   * Frees the memory of the division and of the mesh. Both are computed or loaded again if a part
   * is fetched once more.
   */
  public synchronized void release() {
    order = null;
    mesh.release();
  }

  private Order order() {
    Order known = order;
    if (known == null) {
      double[] barycentres = mesh.barycentres();
      int[] owner =
          partitioner.owners(mesh.arrays().neighbours(), barycentres, parts.size()).ofCells();
      known = ordered(owner, HilbertCurve.order(barycentres));
      order = known;
    }
    return known;
  }

  private Order ordered(int[] owner, int[] curve) {
    int[] neighbours = mesh.arrays().neighbours();
    int[] nextInner = Arrays.copyOf(starts, parts.size());
    int[] nextBorder = new int[parts.size()];
    Arrays.setAll(nextBorder, rank -> starts[rank] + parts.get(rank).innerCells());
    int[] cells = new int[owner.length];
    int[] places = new int[owner.length];
    for (int cell : curve) {
      int rank = owner[cell];
      int place = isInner(cell, owner, neighbours) ? nextInner[rank]++ : nextBorder[rank]++;
      cells[place] = cell;
      places[cell] = place;
    }
    int[] vertexNumbers = mesh.verticesAlong(curve);
    int[] localVertices = new int[vertexNumbers.length];
    Arrays.fill(localVertices, -1);
    return new Order(cells, places, vertexNumbers, localVertices);
  }

  private static boolean isInner(int cell, int[] owner, int[] neighbours) {
    for (int face = 4 * cell; face < 4 * cell + 4; face++) {
      if (neighbours[face] >= 0 && owner[neighbours[face]] != owner[cell]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public synchronized CellBlock block(int rank, int first) {
    Order divided = order();
    MeshArrays whole = mesh.arrays();
    int from = starts[rank] + first;
    int[] globalCells =
        Arrays.copyOfRange(divided.cells, from, Math.min(from + BLOCK, starts[rank + 1]));
    int[] vertices = new int[4 * globalCells.length];
    int[] neighbours = new int[4 * globalCells.length];
    int[] regions = new int[globalCells.length];
    IntList used = new IntList();
    for (int k = 0; k < globalCells.length; k++) {
      int cell = globalCells[k];
      regions[k] = whole.regions()[cell];
      for (int face = 0; face < 4; face++) {
        int vertex = whole.vertices()[4 * cell + face];
        if (divided.localVertices[vertex] < 0) {
          divided.localVertices[vertex] = used.size();
          used.add(vertex);
        }
        vertices[4 * k + face] = divided.localVertices[vertex];
        int behind = whole.neighbours()[4 * cell + face];
        neighbours[4 * k + face] = behind < 0 ? behind : seenFrom(rank, divided.places[behind]);
      }
    }
    double[] coordinates = new double[3 * used.size()];
    int[] numbers = new int[used.size()];
    for (int k = 0; k < numbers.length; k++) {
      int vertex = used.get(k);
      System.arraycopy(whole.coordinates(), 3 * vertex, coordinates, 3 * k, 3);
      numbers[k] = divided.vertexNumbers[vertex];
      divided.localVertices[vertex] = -1;
    }
    return new CellBlock(coordinates, numbers, vertices, neighbours, globalCells, regions);
  }

  /** Returns the number of a cell within a part, or the code of the part that owns it. */
  private int seenFrom(int rank, int place) {
    if (place >= starts[rank] && place < starts[rank + 1]) {
      return place - starts[rank];
    }
    int found = Arrays.binarySearch(starts, place); // no part is empty
    return TetrahedralPart.ownedBy(found < 0 ? -2 - found : found);
  }
}
