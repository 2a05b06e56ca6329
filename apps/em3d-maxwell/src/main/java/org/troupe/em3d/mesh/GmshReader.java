package org.troupe.em3d.mesh;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleConsumer;

/**
 * Reads Gmsh's MSH 4.1 and 2.2, text or binary: tetrahedra, and the physical groups of volumes and
 * of outer triangles.
 *
 * <p>The formats are described in the Gmsh reference manual, "MSH file format" and "Legacy
 * formats".
 */
public final class GmshReader {

  private static final int SURFACE = 2;
  private static final int VOLUME = 3;
  private static final int LINE_TYPE = 1;
  private static final int TRIANGLE_TYPE = 2;
  private static final int TETRAHEDRON_TYPE = 4;
  private static final int POINT_TYPE = 15;
  private static final Map<Integer, String> OTHER_TYPES =
      Map.of(
          3,
          "quadrangle",
          5,
          "hexahedron",
          6,
          "prism",
          7,
          "pyramid",
          8,
          "second-order line",
          9,
          "second-order triangle",
          11,
          "second-order tetrahedron");

  // The least bytes of an element and of a node in text: a short file cannot announce more of them.
  private static final int LEAST_ELEMENT_BYTES = 4;
  private static final int LEAST_NODE_BYTES = 8;
  private static final int MOST_NODES = (Integer.MAX_VALUE - 8) / 3;
  private static final int MOST_CELLS = (Integer.MAX_VALUE - 8) / 4;

  private final Path file;
  private final String name;
  private final DoubleConsumer progress;

  @SuppressWarnings("NullAway.Init") // read() opens it before any other method uses it
  private MeshInput in;

  private boolean legacy; // 2.2
  private boolean binary;
  private boolean hasEntities;

  /** Physical names, and groups of surfaces and volumes, by dimension and tag. */
  private final Map<List<Integer>, String> physicalNames = new HashMap<>();

  private final Map<List<Integer>, String> entityGroups = new HashMap<>();

  private final ElementPositions nodePlaces = new ElementPositions();
  private long[] tags = {}; // of the nodes; empty once they are indexed
  private NodeTags nodes = new NodeTags(tags);
  private boolean hasNodes;
  private double[] coordinates = {};

  private final IntList vertices = new IntList();
  private final IntList regions = new IntList();
  private final IntList cellTags = new IntList();
  private final ElementPositions cellPlaces = new ElementPositions();
  private final List<String> regionNames = new ArrayList<>();

  // Of the previous element, in 2.2
  private int lastType;
  private int lastPhysical;
  private int lastIndex;
  private int legacyNumbers;

  /** Three vertices and the index of the group's name. */
  private final IntList triangles = new IntList();

  private final IntList triangleTags = new IntList();
  private final ElementPositions trianglePlaces = new ElementPositions();
  private final List<String> wallNames = new ArrayList<>(List.of(""));

  private GmshReader(Path file, DoubleConsumer progress) {
    this.file = file;
    this.name = String.valueOf(file.getFileName());
    this.progress = progress;
  }

  /**
   * Reads a Gmsh file, MSH 4.1 or 2.2, text or binary.
   *
   * @throws MeshException if the file cannot be read, has another format, or its cells form no
   *     valid mesh
   */
  public static TetrahedralMesh read(Path file) {
    return read(file, fraction -> {});
  }

  /**
   * Reads a Gmsh file and reports progress.
   *
   * @param progress receives the fraction of the file that has been read, from 0 to 1
   * @throws MeshException as {@link #read(Path)} does
   */
  public static TetrahedralMesh read(Path file, DoubleConsumer progress) {
    return new GmshReader(file, progress).read();
  }

  private TetrahedralMesh read() {
    try (MeshInput opened = new MeshInput(file, progress)) {
      in = opened;
      readSections();
    } catch (NoSuchFileException e) {
      throw new MeshException(
          "mesh '%s' does not exist; check the path, or make it with 'gmsh -3'".formatted(file), e);
    } catch (IOException e) {
      throw new MeshException("mesh '%s' cannot be read: %s".formatted(file, e.getMessage()), e);
    }
    if (cellTags.size() == 0) {
      throw new MeshException(
          ("%s: there are no tetrahedra in the file; mesh the volumes ('gmsh -3') and, where there"
                  + " are physical groups, put the volumes into one")
              .formatted(name));
    }
    progress.accept(1);
    nodes = new NodeTags(tags); // the index is not needed any more
    return new TetrahedralMesh(
        name,
        coordinates,
        vertices.toArray(),
        regions.toArray(),
        regionNames,
        new NamedTriangles(
            triangles.toArray(),
            wallNames,
            each -> elementName(trianglePlaces, triangleTags, each)),
        cell -> elementName(cellPlaces, cellTags, cell));
  }

  private String elementName(ElementPositions places, IntList tags, int element) {
    return "%s: element %d".formatted(in.named(places.of(element)), tags.get(element));
  }

  private void readSections() throws IOException {
    Set<String> seen = new HashSet<>();
    String section = in.textLine();
    if (section == null || !section.equals("$MeshFormat")) {
      throw new MeshException(
          name
              + ":1: the file does not begin with '$MeshFormat'; save it as a Gmsh mesh of version"
              + " 4.1");
    }
    for (; section != null; section = in.textLine()) {
      if (!section.startsWith("$") || section.startsWith("$End")) {
        throw in.at("found '%s' where a section should begin; save the mesh again", section);
      }
      if (!seen.add(section)) {
        throw in.at("section '%s' is there twice; save the mesh again", section);
      }
      in.enter(section);
      readSection(section);
      in.skipTo("$End" + section.substring(1), binary);
    }
    for (String needed : List.of("$Nodes", "$Elements")) {
      if (!seen.contains(needed)) {
        throw in.at(
            "the file ends without section '%s'; it is truncated or holds no mesh, save it again",
            needed);
      }
    }
  }

  private void readSection(String section) throws IOException {
    switch (section) {
      case "$MeshFormat" -> readFormat();
      case "$PhysicalNames" -> readPhysicalNames();
      case "$Entities" -> {
        useBinary();
        readEntities();
      }
      case "$Nodes" -> {
        if (legacy) {
          readLegacyNodes();
        } else {
          useBinary();
          readNodes();
        }
        indexNodes();
      }
      case "$Elements" -> {
        if (!hasNodes) {
          throw in.at("'$Elements' comes before '$Nodes'; save the mesh again");
        }
        if (legacy) {
          readLegacyElements();
        } else {
          useBinary();
          readElements();
        }
      }
      default -> {}
    }
    in.beginText();
  }

  private void useBinary() throws IOException {
    if (binary) {
      in.beginBinary();
    }
  }

  private void readFormat() throws IOException {
    in.nextRecord();
    String version = in.word();
    if (!version.equals("4.1") && !version.equals("2.2")) {
      throw in.at(
          "format version '%s' is not supported; save as 4.1 (Mesh.MshFileVersion = 4.1)", version);
    }
    legacy = version.equals("2.2");
    String kind = in.word();
    String size = in.word();
    if (!kind.equals("0") && !kind.equals("1") || !size.equals("8")) {
      throw in.at(
          "the file is of kind '%s' with numbers of '%s' bytes, not text (0) or binary (1) with 8;"
              + " save the mesh again",
          kind, size);
    }
    if (kind.equals("1")) {
      binary = true;
      in.beginBinary();
      in.learnByteOrder();
    }
  }

  private void readPhysicalNames() throws IOException {
    in.nextRecord();
    int count = in.count(LEAST_ELEMENT_BYTES);
    for (int k = 0; k < count; k++) {
      in.nextRecord();
      int dimension = in.integer();
      int tag = in.integer();
      String quoted = in.rest();
      if (quoted.length() < 2 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
        throw in.at("physical name %s is not in quotes; save the mesh again", quoted);
      }
      physicalNames.put(List.of(dimension, tag), quoted.substring(1, quoted.length() - 1));
    }
  }

  /** Returns the name of a physical group, or its number if it has no name. */
  private String groupName(int dimension, int tag) {
    return physicalNames.getOrDefault(List.of(dimension, tag), String.valueOf(tag));
  }

  // 4.1

  private void readEntities() throws IOException {
    hasEntities = true;
    in.nextRecord();
    int[] counts = new int[4];
    for (int dimension = 0; dimension < 4; dimension++) {
      counts[dimension] = in.count(LEAST_ELEMENT_BYTES);
    }
    for (int dimension = 0; dimension < 4; dimension++) {
      for (int k = 0; k < counts[dimension]; k++) {
        in.nextRecord();
        int tag = in.integer();
        for (int bound = 0; bound < (dimension == 0 ? 3 : 6); bound++) {
          in.real();
        }
        String group = entityGroup(dimension, tag);
        entityGroups.put(List.of(dimension, tag), group);
        if (dimension > 0) {
          int bounds = in.count(1);
          for (int bound = 0; bound < bounds; bound++) {
            in.integer();
          }
        }
      }
    }
  }

  /** Returns the physical group of the entity; empty if it is in none. */
  private String entityGroup(int dimension, int tag) throws IOException {
    int groups = in.count(1);
    String found = "";
    for (int k = 0; k < groups; k++) {
      // Gmsh writes a negative tag if the group holds the entity with reversed orientation.
      String group = groupName(dimension, Math.abs(in.integer()));
      if (dimension >= SURFACE && !found.isEmpty() && !group.equals(found)) {
        throw in.at(
            "%s %d belongs to the physical groups '%s' and '%s'; keep one of them",
            dimension == SURFACE ? "surface" : "volume", tag, found, group);
      }
      found = group;
    }
    return found;
  }

  private void readNodes() throws IOException {
    in.nextRecord();
    int blocks = in.count(LEAST_ELEMENT_BYTES);
    int count = nodeCount();
    skipNumbers(2);
    int next = 0;
    for (int block = 0; block < blocks; block++) {
      in.nextRecord();
      long blockPlace = in.place();
      int dimension = in.integer();
      in.integer();
      boolean parametric = in.integer() != 0;
      int inBlock = in.count(LEAST_NODE_BYTES);
      if (inBlock > count - next) {
        throw in.at(
            blockPlace,
            "the blocks hold more nodes than the %d announced; save the mesh again",
            count);
      }
      for (int k = 0; k < inBlock; k++) {
        in.nextRecord();
        nodePlaces.add(next + k, in.place(), binary ? Long.BYTES : 1);
        tags[next + k] = in.number();
      }
      for (int k = 0; k < inBlock; k++, next++) {
        in.nextRecord();
        readPoint(next);
        for (int skipped = 0; binary && parametric && skipped < dimension; skipped++) {
          in.real();
        }
      }
    }
    if (next < count) {
      throw in.at(
          "the blocks hold %d nodes, but %d are announced; save the mesh again", next, count);
    }
  }

  private int nodeCount() throws IOException {
    int count = in.count(LEAST_NODE_BYTES);
    if (count > MOST_NODES) {
      throw in.at(
          "%d nodes are more than the %d of this reader; split the mesh", count, MOST_NODES);
    }
    coordinates = new double[3 * count];
    tags = new long[count];
    return count;
  }

  private void skipNumbers(int count) throws IOException {
    for (int k = 0; k < count; k++) {
      in.number();
    }
  }

  private void readPoint(int node) throws IOException {
    for (int axis = 0; axis < 3; axis++) {
      coordinates[3 * node + axis] = in.real();
    }
  }

  private void indexNodes() {
    nodes = new NodeTags(tags);
    int repeated = nodes.repeated();
    if (repeated >= 0) {
      throw in.at(
          nodePlaces.of(repeated), "node %d is there twice; save the mesh again", tags[repeated]);
    }
    tags = new long[0];
    hasNodes = true;
  }

  private void readElements() throws IOException {
    in.nextRecord();
    int blocks = in.count(LEAST_ELEMENT_BYTES);
    in.count(LEAST_ELEMENT_BYTES);
    skipNumbers(2);
    for (int block = 0; block < blocks; block++) {
      in.nextRecord();
      int dimension = in.integer();
      int entity = in.integer();
      int type = in.integer();
      int count = in.count(LEAST_ELEMENT_BYTES);
      String group = entityGroups.get(List.of(dimension, entity));
      if (group == null && hasEntities && dimension >= SURFACE) {
        throw in.at(
            "the elements belong to %s %d, which is not in '$Entities'; save the mesh again, not partitioned",
            dimension == SURFACE ? "surface" : "volume", entity);
      }
      int index = groupIndex(type, group == null ? "" : group);
      reserve(type, count);
      for (int k = 0; k < count; k++) {
        in.nextRecord();
        long place = in.place();
        readElement(type, elementTag(in.number()), index, place);
      }
    }
  }

  private int elementTag(long tag) {
    if (tag != (int) tag) {
      throw in.at("%d is too large for a count or number of this reader; split the mesh", tag);
    }
    return (int) tag;
  }

  // 2.2

  private void readLegacyNodes() throws IOException {
    in.nextRecord();
    int count = nodeCount();
    useBinary();
    for (int node = 0; node < count; node++) {
      in.nextRecord();
      nodePlaces.add(node, in.place(), binary ? Integer.BYTES + 3 * Double.BYTES : 1);
      tags[node] = in.integer();
      readPoint(node);
    }
  }

  private void readLegacyElements() throws IOException {
    in.nextRecord();
    int count = in.count(LEAST_ELEMENT_BYTES);
    useBinary();
    int left = count;
    while (left > 0) {
      if (!binary) {
        in.nextRecord();
        long place = in.place();
        int tag = in.integer();
        int type = in.integer();
        int group = legacyGroup(type, in.integer());
        readElement(type, tag, group, place);
        left--;
        continue;
      }
      int type = in.integer();
      int inBlock = in.integer();
      int numbers = in.integer();
      if (inBlock < 1 || inBlock > left) {
        throw in.at(
            "a block of %d elements, where %d are left of those announced; save the mesh again",
            inBlock, left);
      }
      for (int k = 0; k < inBlock; k++) {
        long place = in.place();
        int tag = in.integer();
        readElement(type, tag, legacyGroup(type, numbers), place);
      }
      left -= inBlock;
    }
  }

  /** Reads the numbers before an element's nodes, the first of which is its physical group. */
  private int legacyGroup(int type, int numbers) throws IOException {
    int physical = numbers > 0 ? in.integer() : 0;
    for (int k = 1; k < numbers; k++) {
      in.integer();
    }
    if (physical != lastPhysical || type != lastType) { // otherwise as for the previous element
      int dimension = type == TRIANGLE_TYPE ? SURFACE : VOLUME;
      lastIndex = groupIndex(type, physical == 0 ? "" : groupName(dimension, Math.abs(physical)));
      lastPhysical = physical;
      lastType = type;
    }
    legacyNumbers = numbers;
    return lastIndex;
  }

  // Both

  /** Returns the index of a group among those of its dimension. */
  private int groupIndex(int type, String group) {
    List<String> names =
        switch (type) {
          case TETRAHEDRON_TYPE -> regionNames;
          case TRIANGLE_TYPE -> wallNames;
          default -> List.of();
        };
    int index = names.indexOf(group);
    if (index < 0 && (type == TETRAHEDRON_TYPE || type == TRIANGLE_TYPE)) {
      if (names.size() == TetrahedralPart.MOST_WALLS) {
        throw in.at(
            "there are more than %d physical groups; save the mesh again",
            TetrahedralPart.MOST_WALLS);
      }
      names.add(group);
      index = names.size() - 1;
    }
    return index;
  }

  private void reserve(int type, int count) {
    if (type == TETRAHEDRON_TYPE) {
      if (count > MOST_CELLS - cellTags.size()) {
        throw in.at(
            "%d cells are more than the %d of this reader; split the mesh",
            (long) cellTags.size() + count, MOST_CELLS);
      }
      vertices.reserve(4 * count);
      regions.reserve(count);
      cellTags.reserve(count);
    }
  }

  private void readElement(int type, int tag, int group, long place) throws IOException {
    switch (type) {
      case TETRAHEDRON_TYPE -> {
        cellPlaces.add(cellTags.size(), place, distance(4));
        cellTags.add(tag);
        regions.add(group);
        for (int k = 0; k < 4; k++) {
          vertices.add(vertex(tag, place));
        }
      }
      case TRIANGLE_TYPE -> {
        int a = vertex(tag, place);
        int b = vertex(tag, place);
        int c = vertex(tag, place);
        if (group > 0) {
          trianglePlaces.add(triangleTags.size(), place, distance(3));
          triangleTags.add(tag);
          triangles.add(a);
          triangles.add(b);
          triangles.add(c);
          triangles.add(group);
        }
      }
      case LINE_TYPE, POINT_TYPE -> {
        int corners = type == LINE_TYPE ? 2 : 1;
        for (int k = 0; binary && k < corners; k++) {
          node();
        }
      }
      default -> throw otherType(type, tag, place);
    }
  }

  private MeshException otherType(int type, int tag, long place) {
    String remedy =
        type == 8 || type == 9 || type == 11
            ? "save a mesh of first order (Mesh.ElementOrder = 1)"
            : "mesh the volumes with tetrahedra only (no recombination, no layers)";
    return in.at(
        place,
        "element %d is of type %d (%s), which the solver cannot use; %s",
        tag,
        type,
        OTHER_TYPES.getOrDefault(type, "see the Gmsh manual"),
        remedy);
  }

  /** Returns the distance between the positions of two elements with this number of nodes. */
  private int distance(int corners) {
    if (!binary) {
      return 1;
    }
    return legacy ? Integer.BYTES * (1 + legacyNumbers + corners) : Long.BYTES * (1 + corners);
  }

  private int vertex(int element, long place) throws IOException {
    long tag = node();
    int vertex = nodes.find(tag);
    if (vertex < 0) {
      throw in.at(
          place,
          "element %d uses node %d, which is not in '$Nodes'; save the mesh again",
          element,
          tag);
    }
    return vertex;
  }

  private long node() throws IOException {
    return legacy ? in.integer() : in.number();
  }
}
