package org.troupe.em3d.mesh;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An undivided mesh from a file, which is checked and then divided into parts. Can be used by many
 * threads; its cells do not change.
 *
 * <p>Face f of a cell is opposite its vertex f. Cells keep the order of the file.
 */
public final class TetrahedralMesh implements WholeMesh {

  /*
   * The launcher's JVM divides meshes of millions of cells, so this class stores nine integers per cell
   * besides the coordinates, and computes all else on request. When the parts are on their nodes, it moves even
   * these to a file, from which they are loaded if the nodes change and the mesh is divided again.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.em3d");

  /** The relative tolerance for a point on a face. */
  private static final double TOLERANCE = 1e-9;

  private final String name;
  private final int cells;
  private final List<String> regionNames;
  private final List<String> wallNames;
  private final double volume;
  private @Nullable MeshArrays arrays; // null while they are in the file
  private @Nullable MeshSpool spool; // null before the first release()
  private @Nullable Connectivity connectivity; // null until it is asked for
  private @Nullable Shapes shapes; // null until a sequential solver asks for them

  /**
   * Creates a mesh of these cells and connects them.
   *
   * @param name the name of the mesh, for messages
   * @param coordinates {@code [3 * vertex + axis]}, metres
   * @param vertices {@code [4 * cell + k]}, in either orientation
   * @param regions of the cells: indices into {@code regionNames}
   * @param triangles named triangles; those that are outer faces name these
   * @param cellName names a cell in messages
   */
  TetrahedralMesh(
      String name,
      double[] coordinates,
      int[] vertices,
      int[] regions,
      List<String> regionNames,
      NamedTriangles triangles,
      IntFunction<String> cellName) {
    this.name = name;
    cells = vertices.length / 4;
    this.regionNames = List.copyOf(regionNames);
    this.wallNames = List.copyOf(triangles.names());
    MeshProblems problems = new MeshProblems();
    volume = measure(coordinates, vertices, cellName, problems);
    problems.refuse();
    FaceAdjacency connection = new FaceAdjacency(vertices, coordinates, cellName, problems);
    problems.refuse();
    connection.name(triangles);
    problems.refuse();
    int[] neighbours = connection.behind();
    LooseFaces.find(vertices, coordinates, neighbours, cellName, problems);
    problems.refuse();
    arrays = new MeshArrays(coordinates, vertices, regions, neighbours);
  }

  /** The geometry of all cells, which only the sequential solvers need. */
  private record Shapes(double[] volumes, double[] surfaces, double[] areas) {}

  /**
   * How the cells of a mesh are connected by faces.
   *
   * @param parts number of sets of cells that share no face
   * @param least number of cells of the smallest one
   * @param inLeast a cell of the smallest one
   */
  public record Connectivity(int parts, int least, int inLeast) {}

  /**
   * Creates the undivided unit cube, with cells numbered as in {@link CubePart}: a reference for
   * tests.
   */
  public static TetrahedralMesh cube(int points) {
    int n = points - 1;
    double edge = CubeMesh.edge(points);
    double[] coordinates = new double[3 * points * points * points];
    int at = 0;
    for (int vertex = 0; vertex < points * points * points; vertex++) {
      coordinates[at++] = vertex % points * edge;
      coordinates[at++] = vertex / points % points * edge;
      coordinates[at++] = vertex / points / points * edge;
    }
    int[] strides = {1, points, points * points};
    int[] vertices = new int[24 * n * n * n];
    at = 0;
    for (int cube = 0; cube < n * n * n; cube++) {
      int corner = cube % n + points * (cube / n % n + points * (cube / n / n));
      for (int[] walk : KuhnSplit.WALKS) {
        int vertex = corner;
        vertices[at++] = vertex;
        for (int axis : walk) {
          vertex += strides[axis];
          vertices[at++] = vertex;
        }
      }
    }
    return new TetrahedralMesh(
        "cube:" + points,
        coordinates,
        vertices,
        new int[vertices.length / 4],
        List.of("cube"),
        NamedTriangles.NONE,
        cell -> "cell " + cell);
  }

  // Memory

  /**
   * Frees the memory of the cells; they are loaded again when they are asked for. Does nothing if
   * there is no space for the temporary file.
   */
  public synchronized void release() {
    MeshArrays present = arrays;
    if (present == null) {
      return;
    }
    try {
      if (spool == null) {
        spool = MeshSpool.of(present);
      }
      arrays = null;
      shapes = null;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> this + " stays in memory: it cannot be written", e);
    }
  }

  /** Returns the arrays, which must not be changed. */
  MeshArrays arrays() {
    MeshArrays known = arrays; // a race is benign: two threads see equal arrays
    return known == null ? loaded() : known;
  }

  private synchronized MeshArrays loaded() {
    MeshArrays known = arrays;
    if (known == null) {
      try {
        known = Objects.requireNonNull(spool, "arrays are released to a file").load();
      } catch (IOException e) {
        throw new MeshException(
            "%s cannot be loaded from its temporary file again: %s".formatted(this, e.getMessage()),
            e);
      }
      arrays = known;
    }
    return known;
  }

  // Properties

  @Override
  public int cells() {
    return cells;
  }

  /** Returns a checksum that identifies the mesh independently of its file name. */
  public long fingerprint() {
    MeshArrays whole = arrays();
    CRC32C sum = new CRC32C();
    ByteBuffer words = ByteBuffer.allocate(1 << 16);
    for (double x : whole.coordinates()) {
      roomIn(words, sum).putDouble(x);
    }
    for (int vertex : whole.vertices()) {
      roomIn(words, sum).putInt(vertex);
    }
    for (int cell = 0; cell < cells(); cell++) {
      roomIn(words, sum).putInt(region(cell).hashCode());
    }
    for (int behind : arrays().neighbours()) {
      if (TetrahedralPart.isWall(behind)) {
        roomIn(words, sum).putInt(wallNames.get(TetrahedralPart.wallGroup(behind)).hashCode());
      }
    }
    sum.update(words.flip());
    return sum.getValue();
  }

  private static ByteBuffer roomIn(ByteBuffer words, CRC32C sum) {
    if (words.remaining() < Double.BYTES) {
      sum.update(words.flip());
      words.clear();
    }
    return words;
  }

  /** Returns the volume of all cells in cubic metres. */
  public double volume() {
    return volume;
  }

  /** Returns the number of outer faces. */
  public int outerFaces() {
    return (int) Arrays.stream(arrays().neighbours()).filter(TetrahedralPart::isWall).count();
  }

  /** Returns the names of the physical volumes; an empty one stands for cells that are in none. */
  public List<String> regionNames() {
    return regionNames;
  }

  /**
   * Returns the names of the physical surfaces that have triangles; the first one is empty and
   * stands for outer faces that are in none.
   */
  public List<String> wallNames() {
    return wallNames;
  }

  /**
   * Returns the number of outer faces of each physical group; faces without a group are not
   * counted.
   */
  public Map<String, Integer> wallGroups() {
    Map<String, Integer> groups = new TreeMap<>();
    int[] counts = new int[wallNames.size()];
    for (int behind : arrays().neighbours()) {
      if (TetrahedralPart.isWall(behind)) {
        counts[TetrahedralPart.wallGroup(behind)]++;
      }
    }
    for (int group = 1; group < counts.length; group++) {
      if (counts[group] > 0) {
        groups.put(wallNames.get(group), counts[group]);
      }
    }
    return groups;
  }

  @Override
  public double volume(int cell) {
    Shapes known = shapes;
    if (known != null) {
      return known.volumes[cell];
    }
    Tetrahedron shape = new Tetrahedron();
    load(shape, cell);
    return shape.volume;
  }

  /** Returns the sum of a cell's face areas in square metres. */
  public double surface(int cell) {
    return shapes().surfaces[cell];
  }

  @Override
  public double barycentre(int cell, int axis) {
    MeshArrays whole = arrays();
    double[] x = whole.coordinates();
    int[] v = whole.vertices();
    return (x[3 * v[4 * cell] + axis]
            + x[3 * v[4 * cell + 1] + axis]
            + x[3 * v[4 * cell + 2] + axis]
            + x[3 * v[4 * cell + 3] + axis])
        / 4;
  }

  @Override
  public double coordinate(int cell, int vertex, int axis) {
    MeshArrays whole = arrays();
    return whole.coordinates()[3 * whole.vertices()[4 * cell + vertex] + axis];
  }

  /**
   * Returns the vertex of a cell that coincides with a vertex of another cell; -1 if there is none.
   */
  public int sameVertex(int cell, int other, int vertexOfOther) {
    int[] vertices = arrays().vertices();
    for (int vertex = 0; vertex < 4; vertex++) {
      if (vertices[4 * cell + vertex] == vertices[4 * other + vertexOfOther]) {
        return vertex;
      }
    }
    return -1;
  }

  /** Returns one component of the outward area vector of a face in square metres. */
  public double area(int cell, int face, int axis) {
    return shapes().areas[12 * cell + 3 * face + axis];
  }

  private Shapes shapes() {
    Shapes known = shapes;
    if (known == null) { // a race is benign: two threads compute equal values
      known = measureShapes();
      shapes = known;
    }
    return known;
  }

  private Shapes measureShapes() {
    double[] volumes = new double[cells()];
    double[] surfaces = new double[cells()];
    double[] areas = new double[12 * cells()];
    Tetrahedron shape = new Tetrahedron();
    for (int cell = 0; cell < cells(); cell++) {
      load(shape, cell);
      volumes[cell] = shape.volume;
      surfaces[cell] = shape.surface;
      System.arraycopy(shape.areas, 0, areas, 12 * cell, 12);
    }
    return new Shapes(volumes, surfaces, areas);
  }

  private void load(Tetrahedron shape, int cell) {
    MeshArrays whole = arrays();
    load(shape, whole.coordinates(), whole.vertices(), cell);
  }

  private static boolean load(Tetrahedron shape, double[] coordinates, int[] vertices, int cell) {
    return shape.load(
        coordinates,
        vertices[4 * cell],
        vertices[4 * cell + 1],
        vertices[4 * cell + 2],
        vertices[4 * cell + 3]);
  }

  @Override
  public double centre(int cell, int face, int axis) {
    MeshArrays whole = arrays();
    double[] x = whole.coordinates();
    int[] v = whole.vertices();
    return (x[3 * v[4 * cell + (face + 1) % 4] + axis]
            + x[3 * v[4 * cell + (face + 2) % 4] + axis]
            + x[3 * v[4 * cell + (face + 3) % 4] + axis])
        / 3;
  }

  /** Returns whether the face is an outer one. */
  public boolean isWall(int cell, int face) {
    return TetrahedralPart.isWall(arrays().neighbours()[4 * cell + face]);
  }

  @Override
  public String wall(int cell, int face) {
    return wallNames.get(TetrahedralPart.wallGroup(arrays().neighbours()[4 * cell + face]));
  }

  @Override
  public int behind(int cell, int face) {
    return Math.max(-1, arrays().neighbours()[4 * cell + face]);
  }

  @Override
  public Set<String> volumeGroups() {
    Set<String> groups = new TreeSet<>();
    int[] counts = new int[regionNames.size()];
    for (int region : arrays().regions()) {
      counts[region]++;
    }
    for (int region = 0; region < counts.length; region++) {
      if (counts[region] > 0 && !regionNames.get(region).isEmpty()) {
        groups.add(regionNames.get(region));
      }
    }
    return groups;
  }

  @Override
  public Set<String> surfaceGroups() {
    return wallGroups().keySet();
  }

  @Override
  public double low(int axis) {
    return along(axis).min().orElseThrow();
  }

  @Override
  public double high(int axis) {
    return along(axis).max().orElseThrow();
  }

  private DoubleStream along(int axis) {
    double[] coordinates = arrays().coordinates();
    return Arrays.stream(arrays().vertices()).mapToDouble(vertex -> coordinates[3 * vertex + axis]);
  }

  @Override
  public double[] areas(int cell) {
    Tetrahedron shape = new Tetrahedron();
    load(shape, cell);
    double[] areas = new double[4];
    for (int face = 0; face < 4; face++) {
      areas[face] = shape.area(face) / shape.volume;
    }
    return areas;
  }

  /**
   * Compares distances from the barycentre, which is a quarter of the height away from each face.
   */
  @Override
  public boolean contains(int cell, double x, double y, double z) {
    Tetrahedron shape = new Tetrahedron();
    load(shape, cell);
    double[] from = shape.barycentre;
    for (int face = 0; face < 4; face++) {
      double beyond =
          (x - from[0]) * shape.areas[3 * face]
              + (y - from[1]) * shape.areas[3 * face + 1]
              + (z - from[2]) * shape.areas[3 * face + 2];
      if (beyond > 0.75 * shape.volume * (1 + TOLERANCE)) {
        return false;
      }
    }
    return true;
  }

  /** Returns all cells, as this class has no spatial index. */
  @Override
  public IntStream around(double[] low, double[] high) {
    return IntStream.range(0, cells());
  }

  /** Returns the cell behind an inner face. */
  public int neighbour(int cell, int face) {
    return arrays().neighbours()[4 * cell + face];
  }

  @Override
  public String region(int cell) {
    return regionNames.get(arrays().regions()[cell]);
  }

  /** Returns how the cells are connected, which is computed once. */
  public synchronized Connectivity connectivity() {
    if (connectivity == null) {
      connectivity = connect(arrays().neighbours());
    }
    return connectivity;
  }

  private static Connectivity connect(int[] neighbours) {
    BitSet seen = new BitSet();
    int[] queue = new int[neighbours.length / 4];
    int parts = 0;
    int least = Integer.MAX_VALUE;
    int inLeast = 0;
    for (int start = 0; start < queue.length; start = seen.nextClearBit(start)) {
      int end = 0;
      queue[end++] = start;
      seen.set(start);
      for (int next = 0; next < end; next++) {
        for (int face = 4 * queue[next]; face < 4 * queue[next] + 4; face++) {
          int behind = neighbours[face];
          if (behind >= 0 && !seen.get(behind)) {
            seen.set(behind);
            queue[end++] = behind;
          }
        }
      }
      parts++;
      if (end < least) {
        least = end;
        inLeast = start;
      }
    }
    return new Connectivity(parts, least, inLeast);
  }

  // Division

  /**
   * Divides the mesh by the built-in bisection, which is deterministic, into parts whose numbers of
   * cells differ by at most one.
   *
   * @throws MeshException if there are fewer cells than parts
   */
  public List<TetrahedralPart> parts(int parts) {
    return divide(parts, MeshPartitioner.BUILT_IN).parts();
  }

  /**
   * Divides the mesh into parts of about equal numbers of cells with few faces between them.
   *
   * @throws MeshException if there are fewer cells than parts, or if the partitioner is not
   *     available
   */
  public MeshDivision divide(int parts, MeshPartitioner partitioner) {
    if (parts < 1 || parts > cells()) {
      throw new MeshException(
          "%s: %d cells cannot be cut into %d parts; ask for 1 to %d"
              .formatted(name, cells(), parts, cells()));
    }
    return new MeshDivision(this, partitioner, parts);
  }

  /** Returns the barycentres of all cells: {@code [3 * cell + axis]}. */
  double[] barycentres() {
    double[] barycentres = new double[3 * cells()];
    for (int k = 0; k < barycentres.length; k++) {
      barycentres[k] = barycentre(k / 3, k % 3);
    }
    return barycentres;
  }

  /**
   * Numbers the vertices in the order in which a sequence of all cells comes to them.
   *
   * @return the number of each vertex
   */
  int[] verticesAlong(int[] sequence) {
    MeshArrays whole = arrays();
    int[] numbers = new int[whole.coordinates().length / 3];
    Arrays.fill(numbers, -1);
    int next = 0;
    for (int cell : sequence) {
      for (int k = 4 * cell; k < 4 * cell + 4; k++) {
        if (numbers[whole.vertices()[k]] < 0) {
          numbers[whole.vertices()[k]] = next++;
        }
      }
    }
    return numbers;
  }

  private static double measure(
      double[] coordinates, int[] vertices, IntFunction<String> cellName, MeshProblems problems) {
    Tetrahedron shape = new Tetrahedron();
    double sum = 0;
    for (int cell = 0; cell < vertices.length / 4; cell++) {
      if (!load(shape, coordinates, vertices, cell)) {
        int flat = cell;
        problems.add(
            () -> cellName.apply(flat) + " has no volume; repair the mesh or make it again");
      }
      sum += shape.volume;
    }
    return sum;
  }

  /** Returns name and size. */
  @Override
  public String toString() {
    return name + " (" + cells() + " cells)";
  }
}
