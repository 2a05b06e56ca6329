package org.troupe.em3d.mesh;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;

/**
 * A whole mesh in one JVM: read from a file, checked, and cut into parts. Immutable.
 *
 * <p>Face f of a cell is the one opposite its vertex f.
 */
public final class TetrahedralMesh {

  private static final int MAX_PROBLEMS = 10;
  private static final int NONE = -1;

  private final String name;
  private final double[] coordinates;
  private final int[] vertices;
  private final int[] regions;
  private final List<String> regionNames;

  /** The neighbour behind each face, or NONE. */
  private final int[] neighbours;

  /** How many outer faces each named physical group has; faces without a name are not counted. */
  private final Map<String, Integer> wallGroups;

  private final double[] volumes;
  private final double[] surfaces;
  private final double[] barycentres;
  private final double[] areas;

  /**
   * Takes cells and connects them.
   *
   * @param name of the mesh, for messages
   * @param coordinates {@code [3 * vertex + axis]}, metres
   * @param vertices {@code [4 * cell + k]}, in either orientation
   * @param regions of the cells: indices into {@code regionNames}
   * @param triangles with a name, of which those that are outer faces count
   * @param cellName says which cell a message speaks of
   */
  TetrahedralMesh(
      String name,
      double[] coordinates,
      int[] vertices,
      int[] regions,
      List<String> regionNames,
      Map<Triangle, String> triangles,
      IntFunction<String> cellName) {
    this.name = name;
    this.coordinates = coordinates;
    this.vertices = vertices;
    this.regions = regions;
    this.regionNames = List.copyOf(regionNames);
    int cells = vertices.length / 4;
    volumes = new double[cells];
    surfaces = new double[cells];
    barycentres = new double[3 * cells];
    areas = new double[12 * cells];
    List<String> problems = new ArrayList<>();
    measure(cellName, problems);
    refuse(problems);
    neighbours = connect(cellName, problems);
    refuse(problems);
    wallGroups = new TreeMap<>();
    for (int cell = 0; cell < cells; cell++) {
      for (int face = 0; face < 4; face++) {
        String group = isWall(cell, face) ? triangles.get(triangle(cell, face)) : null;
        if (group != null) {
          wallGroups.merge(group, 1, Integer::sum);
        }
      }
    }
  }

  /** Three vertices in ascending order. */
  record Triangle(int low, int middle, int high) {

    static Triangle of(int a, int b, int c) {
      int low = Math.min(a, Math.min(b, c));
      int high = Math.max(a, Math.max(b, c));
      return new Triangle(low, a + b + c - low - high, high);
    }
  }

  /**
   * Reads a Gmsh file, MSH 4.1 in ASCII.
   *
   * @throws MeshException if the file cannot be read, is not of this kind, or its cells do not make
   *     a mesh
   */
  public static TetrahedralMesh read(Path file) {
    return new GmshReader(file).read();
  }

  /**
   * Makes the whole unit cube, with cells numbered as {@link CubePart} says: for checking what its
   * parts compute.
   */
  public static TetrahedralMesh cube(int points) {
    int n = points - 1;
    double[] coordinates = new double[3 * points * points * points];
    int at = 0;
    for (int vertex = 0; vertex < points * points * points; vertex++) {
      coordinates[at++] = vertex % points / (double) n;
      coordinates[at++] = vertex / points % points / (double) n;
      coordinates[at++] = vertex / points / points / (double) n;
    }
    int[] strides = {1, points, points * points};
    int[] vertices = new int[24 * n * n * n];
    at = 0;
    for (int cube = 0; cube < n * n * n; cube++) {
      int corner = cube % n + points * (cube / n % n + points * (cube / n / n));
      for (int[] walk : Kuhn.WALKS) {
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
        Map.of(),
        cell -> "cell " + cell);
  }

  /** The number of tetrahedra. */
  public int cells() {
    return volumes.length;
  }

  /** A number that tells meshes apart, whatever their files are called. */
  public long fingerprint() {
    CRC32C sum = new CRC32C();
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
    for (double x : coordinates) {
      sum.update(word.clear().putDouble(x).flip());
    }
    for (int vertex : vertices) {
      sum.update(word.clear().putInt(vertex).flip());
    }
    return sum.getValue();
  }

  /** The volume of all cells in cubic metres. */
  public double volume() {
    return Arrays.stream(volumes).sum();
  }

  /** The number of faces that have one cell. */
  public int outerFaces() {
    return (int) Arrays.stream(neighbours).filter(cell -> cell == NONE).count();
  }

  /**
   * How many outer faces each physical group has; faces without a group are conducting and not
   * counted.
   */
  public Map<String, Integer> wallGroups() {
    return Map.copyOf(wallGroups);
  }

  /** The volume of a cell in cubic metres. */
  public double volume(int cell) {
    return volumes[cell];
  }

  /** The sum of a cell's face areas in square metres. */
  public double surface(int cell) {
    return surfaces[cell];
  }

  /** One coordinate of a cell's barycentre in metres. */
  public double barycentre(int cell, int axis) {
    return barycentres[3 * cell + axis];
  }

  /** One component of the outward area vector of a face in square metres. */
  public double area(int cell, int face, int axis) {
    return areas[12 * cell + 3 * face + axis];
  }

  /** True if nothing lies behind the face. */
  public boolean isWall(int cell, int face) {
    return neighbours[4 * cell + face] == NONE;
  }

  /** The cell behind a face that is no wall. */
  public int neighbour(int cell, int face) {
    return neighbours[4 * cell + face];
  }

  /** The name of the physical volume that a cell belongs to, empty if it has none. */
  public String region(int cell) {
    return regionNames.get(regions[cell]);
  }

  /**
   * Checks that all walls are perfect conductors, the only condition the solver has.
   *
   * @throws MeshException if the mesh names another
   */
  public void requireConductingWalls() {
    List<String> problems = new ArrayList<>();
    for (var group : wallGroups.entrySet()) {
      if (!group.getKey().equals("pec")) {
        problems.add(
            ("%s: %d outer faces belong to the physical group '%s', but the solver knows perfect"
                    + " conductors ('pec') only; name the group so if that is meant, or choose"
                    + " another mesh")
                .formatted(name, group.getValue(), group.getKey()));
      }
    }
    refuse(problems);
  }

  /**
   * Cuts the mesh into parts of equal numbers of cells (up to one) by recursive bisection; the same
   * every time.
   *
   * @throws MeshException if there are fewer cells than parts, or if a wall is no conductor
   */
  public List<MeshPart> parts(int parts) {
    requireConductingWalls();
    if (parts < 1 || parts > cells()) {
      throw new MeshException(
          "%s: %d cells cannot be cut into %d parts; ask for 1 to %d"
              .formatted(name, cells(), parts, cells()));
    }
    Bisection bisection = new Bisection(barycentres, parts);
    int[] owner = new int[cells()];
    int[] local = new int[cells()];
    for (int rank = 0; rank < parts; rank++) {
      int[] own = bisection.part(rank);
      for (int k = 0; k < own.length; k++) {
        owner[own[k]] = rank;
        local[own[k]] = k;
      }
    }
    List<MeshPart> result = new ArrayList<>();
    for (int rank = 0; rank < parts; rank++) {
      result.add(part(rank, bisection.part(rank), owner, local));
    }
    return result;
  }

  private MeshPart part(int rank, int[] own, int[] owner, int[] local) {
    int[] used =
        Arrays.stream(own)
            .flatMap(c -> Arrays.stream(vertices, 4 * c, 4 * c + 4))
            .sorted()
            .distinct()
            .toArray();
    double[] places = new double[3 * used.length];
    for (int k = 0; k < used.length; k++) {
      System.arraycopy(coordinates, 3 * used[k], places, 3 * k, 3);
    }
    int[] ownVertices = new int[4 * own.length];
    int[] ownNeighbours = new int[4 * own.length];
    int[] ownRegions = new int[own.length];
    for (int k = 0; k < own.length; k++) {
      int cell = own[k];
      ownRegions[k] = regions[cell];
      for (int face = 0; face < 4; face++) {
        ownVertices[4 * k + face] = Arrays.binarySearch(used, vertices[4 * cell + face]);
        int behind = neighbours[4 * cell + face];
        ownNeighbours[4 * k + face] =
            behind == NONE
                ? MeshPart.WALL
                : owner[behind] == rank ? local[behind] : MeshPart.ownedBy(owner[behind]);
      }
    }
    return new MeshPart(
        rank, places, used, ownVertices, ownNeighbours, own, ownRegions, regionNames);
  }

  private void measure(IntFunction<String> cellName, List<String> problems) {
    Tetrahedron shape = new Tetrahedron();
    for (int cell = 0; cell < volumes.length; cell++) {
      boolean solid =
          shape.load(
              coordinates,
              vertices[4 * cell],
              vertices[4 * cell + 1],
              vertices[4 * cell + 2],
              vertices[4 * cell + 3]);
      if (!solid) {
        problems.add(cellName.apply(cell) + " has no volume; repair the mesh or make it again");
      }
      volumes[cell] = shape.volume;
      surfaces[cell] = shape.surface;
      System.arraycopy(shape.barycentre, 0, barycentres, 3 * cell, 3);
      System.arraycopy(shape.areas, 0, areas, 12 * cell, 12);
    }
  }

  /*
   * Faces are put into one bucket per lowest vertex (counting sort); the couple of dozen faces in a
   * bucket are sorted by their other two vertices, and equal ones are neighbours.
   */
  private int[] connect(IntFunction<String> cellName, List<String> problems) {
    int faces = vertices.length;
    Triangle[] triangles = new Triangle[faces];
    int[] bucketEnds = new int[coordinates.length / 3 + 1];
    for (int face = 0; face < faces; face++) {
      triangles[face] = triangle(face / 4, face % 4);
      bucketEnds[triangles[face].low + 1]++;
    }
    for (int vertex = 1; vertex < bucketEnds.length; vertex++) {
      bucketEnds[vertex] += bucketEnds[vertex - 1];
    }
    int[] bucketStarts = bucketEnds.clone();
    int[] sorted = new int[faces];
    for (int face = 0; face < faces; face++) {
      int place = bucketEnds[triangles[face].low]++;
      while (place > bucketStarts[triangles[face].low]
          && isAfter(triangles[sorted[place - 1]], triangles[face])) {
        sorted[place] = sorted[place - 1];
        place--;
      }
      sorted[place] = face;
    }

    int[] behind = new int[faces];
    Arrays.fill(behind, NONE);
    int next = 0;
    while (next < faces) {
      int first = next++;
      while (next < faces && triangles[sorted[next]].equals(triangles[sorted[first]])) {
        next++;
      }
      int a = sorted[first];
      if (next - first == 2) {
        int b = sorted[first + 1];
        behind[a] = b / 4;
        behind[b] = a / 4;
      }
      if (next - first > 2 || next - first == 2 && sameVertices(a / 4, sorted[first + 1] / 4)) {
        problems.add(overfull(Arrays.copyOfRange(sorted, first, next), cellName));
      }
    }
    return behind;
  }

  private String overfull(int[] faces, IntFunction<String> cellName) {
    String first = cellName.apply(faces[0] / 4);
    for (int k = 1; k < faces.length; k++) {
      if (sameVertices(faces[0] / 4, faces[k] / 4)) {
        return first + " is there twice, again as " + cellName.apply(faces[k] / 4) + "; remove one";
      }
    }
    List<String> others =
        Arrays.stream(faces, 1, faces.length).mapToObj(f -> cellName.apply(f / 4)).toList();
    return first
        + " has a face that it shares with "
        + String.join(" and ", others)
        + ", but a face has at most two cells; remove cells that overlap";
  }

  private boolean sameVertices(int cell, int other) {
    int[] mine = Arrays.copyOfRange(vertices, 4 * cell, 4 * cell + 4);
    int[] theirs = Arrays.copyOfRange(vertices, 4 * other, 4 * other + 4);
    Arrays.sort(mine);
    Arrays.sort(theirs);
    return Arrays.equals(mine, theirs);
  }

  private static boolean isAfter(Triangle one, Triangle other) {
    return one.middle != other.middle ? one.middle > other.middle : one.high > other.high;
  }

  private Triangle triangle(int cell, int face) {
    return Triangle.of(
        vertices[4 * cell + (face == 0 ? 1 : 0)],
        vertices[4 * cell + (face <= 1 ? 2 : 1)],
        vertices[4 * cell + (face <= 2 ? 3 : 2)]);
  }

  private static void refuse(List<String> problems) {
    List<String> distinct = problems.stream().distinct().toList();
    if (distinct.isEmpty()) {
      return;
    }
    int hidden = distinct.size() - MAX_PROBLEMS;
    String shown = String.join("\n", distinct.subList(0, Math.min(MAX_PROBLEMS, distinct.size())));
    throw new MeshException(hidden > 0 ? shown + "\nand %d more".formatted(hidden) : shown);
  }

  /** The name and the size. */
  @Override
  public String toString() {
    return name + " (" + cells() + " cells)";
  }
}
