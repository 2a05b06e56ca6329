package org.troupe.em3d.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the mesh of a sub-domain from blocks of its cells: ghosts and geometry. */
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
  private final double[] volumes;
  private final double[] surfaces;
  private final double[] barycentres;
  private final CurlWeights.Shapes shapes = new CurlWeights.Shapes();
  private final byte[] kinds; // of the cells so far: their shapes
  private double @Nullable [] ownWeights; // null as long as there are few shapes
  private final int[] places;
  private final int[] globalCells;
  private final int[] regions;
  private final int[] wallCells;
  private final int[] wallGroups;
  private final double[] wallCentres;
  private final double[] wallWeights;
  private int walls;
  private final List<BorderFace> border = new ArrayList<>();
  private final int @Nullable [] corners; // null if they are not needed
  private final VertexTable vertexTable = new VertexTable();

  PartMeshBuilder(TetrahedralPart part, boolean withCorners) {
    this.part = part;
    cells = part.cells();
    volumes = new double[cells];
    surfaces = new double[cells];
    barycentres = new double[3 * cells];
    kinds = new byte[cells];
    places = new int[4 * cells];
    globalCells = new int[cells];
    regions = new int[cells];
    wallCells = new int[part.wallFaces()];
    wallGroups = new int[part.wallFaces()];
    wallCentres = new double[3 * part.wallFaces()];
    wallWeights = new double[3 * part.wallFaces()];
    corners = withCorners ? new int[4 * cells] : null;
  }

  BuiltPart build() {
    int first = 0;
    while (first < cells) {
      CellBlock block = part.source().block(part.rank(), first);
      if (block.cells() == 0) {
        throw new IllegalStateException(
            "sub-domain %d has %d cells, but its source has only %d"
                .formatted(part.rank(), cells, first));
      }
      add(block, first);
      first += block.cells();
    }
    border.sort(BorderFace.ORDER);
    int[] owners = border.stream().mapToInt(BorderFace::owner).distinct().toArray();
    int[] starts = new int[owners.length + 1];
    for (int k = 0, face = 0; k < owners.length; k++) {
      while (face < border.size() && border.get(face).owner() == owners[k]) {
        face++;
      }
      starts[k + 1] = face;
    }
    int[] borderCells = new int[border.size()];
    for (int k = 0; k < borderCells.length; k++) {
      BorderFace face = border.get(k);
      borderCells[k] = face.cell();
      places[4 * face.cell() + face.face()] = 3 * (cells + walls + k);
    }
    PartMesh mesh =
        new PartMesh(
            part.rank(),
            cells,
            part.innerCells(),
            volumes,
            surfaces,
            barycentres,
            weights(),
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
    return new BuiltPart(
        mesh, corners == null ? null : new CellCorners(vertexTable.coordinates(), corners));
  }

  private CurlWeights weights() {
    return ownWeights == null ? shapes.weights(kinds) : new CurlWeights(ownWeights, null);
  }

  private void add(CellBlock block, int first) {
    System.arraycopy(block.globalCells(), 0, globalCells, first, block.cells());
    System.arraycopy(block.regions(), 0, regions, first, block.cells());
    connect(block, first);
    List<Range> ranges =
        CellRanges.answers(block.cells(), (from, to) -> compute(block, first, from, to));
    if (ownWeights == null && !merge(ranges, first)) {
      double[] own = spread(first);
      CellRanges.process(block.cells(), (from, to) -> weigh(block, first, from, to, own));
      ownWeights = own;
    }
    if (corners != null) {
      addCorners(corners, block, first);
    }
  }

  /** Fills in the places behind the faces, except those of borders, which follow at the end. */
  private void connect(CellBlock block, int first) {
    int[] neighbours = block.neighbours();
    for (int k = 0; k < neighbours.length; k++) {
      int neighbour = neighbours[k];
      if (neighbour >= 0) {
        places[4 * first + k] = 3 * neighbour;
      } else if (TetrahedralPart.isWall(neighbour)) {
        places[4 * first + k] = 3 * (cells + walls);
        wallGroups[walls] = TetrahedralPart.wallGroup(neighbour);
        wallCells[walls++] = first + k / 4;
      } else {
        border.add(borderFace(block, k / 4, k % 4, first + k / 4));
      }
    }
  }

  /** Returns the number of the first wall face of a cell or a later one. */
  private int firstWall(int cell) {
    int low = 0;
    int high = walls;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (wallCells[middle] < cell) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // Geometry

  /**
   * The shapes of the cells from..to-1 of a block; {@code null} if there are too many, or if cells
   * have weights of their own already.
   */
  private record Range(int from, int to, CurlWeights.@Nullable Shapes shapes) {}

  private Range compute(CellBlock block, int first, int from, int to) {
    Tetrahedron shape = new Tetrahedron();
    double[] own = ownWeights;
    CurlWeights.@Nullable Shapes found = own == null ? new CurlWeights.Shapes() : null;
    int wall = firstWall(first + from);
    for (int k = from; k < to; k++) {
      int cell = first + k;
      if (!load(shape, block, k)) {
        throw new MeshException(
            "cell %d of sub-domain %d has no volume; repair the mesh"
                .formatted(globalCells[cell], part.rank()));
      }
      volumes[cell] = shape.volume;
      surfaces[cell] = shape.surface;
      System.arraycopy(shape.barycentre, 0, barycentres, 3 * cell, 3);
      if (own != null) {
        CurlWeights.store(shape, own, CurlWeights.SIZE * cell);
      }
      int kind = found == null ? -1 : found.number(shape);
      if (kind < 0) {
        found = null;
      } else {
        kinds[cell] = (byte) kind;
      }
      for (int face = 0; face < 4; face++) {
        if (TetrahedralPart.isWall(block.neighbours()[4 * k + face])) {
          putWall(wall++, block, k, face, shape);
        }
      }
    }
    return new Range(from, to, found);
  }

  private static boolean load(Tetrahedron shape, CellBlock block, int k) {
    int[] v = block.vertices();
    return shape.load(block.coordinates(), v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
  }

  private void putWall(int wall, CellBlock block, int k, int face, Tetrahedron shape) {
    double[] x = block.coordinates();
    int a = 3 * block.vertices()[4 * k + (face + 1) % 4];
    int b = 3 * block.vertices()[4 * k + (face + 2) % 4];
    int c = 3 * block.vertices()[4 * k + (face + 3) % 4];
    for (int axis = 0; axis < 3; axis++) {
      wallCentres[3 * wall + axis] = (x[a + axis] + x[b + axis] + x[c + axis]) / 3;
      wallWeights[3 * wall + axis] = shape.areas[3 * face + axis] / (2 * shape.volume);
    }
  }

  /**
   * Adds the shapes of a block to those of the earlier ones; returns false if they are too many.
   */
  private boolean merge(List<Range> ranges, int first) {
    for (Range range : ranges) {
      if (range.shapes == null
          || !shapes.merge(range.shapes, kinds, first + range.from, first + range.to)) {
        return false;
      }
    }
    return true;
  }

  /** Returns weights for each cell of its own, filled in for the first cells. */
  private double[] spread(int count) {
    double[] own = new double[CurlWeights.SIZE * cells + PartMesh.MARGIN];
    CurlWeights shared = shapes.weights(kinds);
    for (int cell = 0; cell < count; cell++) {
      System.arraycopy(
          shared.values(), shared.place(cell), own, CurlWeights.SIZE * cell, CurlWeights.SIZE);
    }
    return own;
  }

  private static void weigh(CellBlock block, int first, int from, int to, double[] own) {
    Tetrahedron shape = new Tetrahedron();
    for (int k = from; k < to; k++) {
      load(shape, block, k);
      CurlWeights.store(shape, own, CurlWeights.SIZE * (first + k));
    }
  }

  private static BorderFace borderFace(CellBlock block, int k, int face, int cell) {
    int[] triple = new int[3];
    for (int corner = 0, at = 0; corner < 4; corner++) {
      if (corner != face) {
        triple[at++] = block.vertexNumbers()[block.vertices()[4 * k + corner]];
      }
    }
    Arrays.sort(triple);
    int owner = TetrahedralPart.owner(block.neighbours()[4 * k + face]);
    return new BorderFace(owner, triple[0], triple[1], triple[2], cell, face);
  }

  private void addCorners(int[] target, CellBlock block, int first) {
    int[] known = new int[block.vertexNumbers().length];
    Arrays.fill(known, -1);
    for (int k = 0; k < block.vertices().length; k++) {
      int vertex = block.vertices()[k];
      if (known[vertex] < 0) {
        known[vertex] =
            vertexTable.index(block.vertexNumbers()[vertex], block.coordinates(), 3 * vertex);
      }
      target[4 * first + k] = known[vertex];
    }
  }
}
