package org.troupe.em3d.mesh;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import org.troupe.em3d.mesh.TetrahedralMesh.Triangle;

/**
 * Reads Gmsh's MSH 4.1 in ASCII: tetrahedra, and the physical names of volumes and of outer
 * triangles.
 *
 * <p>The format is described in the Gmsh reference manual, "MSH file format".
 */
final class GmshReader {

  private static final int TRIANGLE = 2;
  private static final int TETRAHEDRON = 4;
  private static final Set<Integer> SKIPPED = Set.of(1, 15); // line, point
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

  private final Path file;
  private final String name;
  private BufferedReader reader;
  private int line;
  private StringTokenizer words;

  /** Physical names by dimension and tag. */
  private final Map<List<Integer>, String> physicalNames = new HashMap<>();

  /** Names of surfaces and volumes by dimension and entity tag. */
  private final Map<List<Integer>, String> entityNames = new HashMap<>();

  private final Map<Long, Integer> vertexByTag = new HashMap<>();
  private double[] coordinates;

  private final IntList vertices = new IntList();
  private final IntList regions = new IntList();
  private final IntList cellLines = new IntList();
  private final IntList cellTags = new IntList();
  private final List<String> regionNames = new ArrayList<>();
  private final Map<Triangle, String> triangles = new HashMap<>();

  GmshReader(Path file) {
    this.file = file;
    this.name = String.valueOf(file.getFileName());
  }

  TetrahedralMesh read() {
    // Latin 1 takes any byte: a binary file must fail by its header, not by its characters.
    try (BufferedReader opened = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      reader = opened;
      readSections();
    } catch (NoSuchFileException e) {
      throw new MeshException(
          "mesh '%s' does not exist; check the path, or make it with 'gmsh -3'".formatted(file), e);
    } catch (IOException e) {
      throw new MeshException("mesh '%s' cannot be read: %s".formatted(file, e.getMessage()), e);
    }
    if (cellTags.size == 0) {
      throw new MeshException(
          ("%s: there are no tetrahedra in the file; mesh the volumes ('gmsh -3') and, where there"
                  + " are physical groups, put the volumes into one")
              .formatted(name));
    }
    return new TetrahedralMesh(
        name,
        coordinates,
        vertices.toArray(),
        regions.toArray(),
        regionNames,
        triangles,
        cell -> "%s:%d: element %d".formatted(name, cellLines.get(cell), cellTags.get(cell)));
  }

  private void readSections() throws IOException {
    Set<String> seen = new HashSet<>();
    String section = reader.readLine();
    line = 1;
    if (section == null || !section.strip().equals("$MeshFormat")) {
      throw at("the file does not begin with '$MeshFormat'; save it as a Gmsh mesh of version 4.1");
    }
    while (section != null) {
      section = section.strip();
      if (!section.isEmpty()) {
        if (!section.startsWith("$") || section.startsWith("$End")) {
          throw at("found '%s' where a section should begin; save the mesh again", section);
        }
        if (!seen.add(section)) {
          throw at("section '%s' is there twice; save the mesh again", section);
        }
        switch (section) {
          case "$MeshFormat" -> readFormat();
          case "$PhysicalNames" -> readPhysicalNames();
          case "$Entities" -> readEntities();
          case "$Nodes" -> readNodes();
          case "$Elements" -> {
            if (coordinates == null) {
              throw at("'$Elements' comes before '$Nodes'; save the mesh again");
            }
            readElements();
          }
          default -> {}
        }
        skipToEnd(section);
      }
      section = reader.readLine();
      line += section == null ? 0 : 1;
    }
    for (String needed : List.of("$Nodes", "$Elements")) {
      if (!seen.contains(needed)) {
        throw at(
            "the file ends without section '%s'; it is truncated or holds no mesh, save it again",
            needed);
      }
    }
  }

  private void skipToEnd(String section) throws IOException {
    String end = "$End" + section.substring(1);
    do {
      nextLine(section);
    } while (!rest().equals(end));
  }

  private void readFormat() throws IOException {
    nextLine("$MeshFormat");
    String version = word();
    if (!version.equals("4.1")) {
      throw at(
          "format version '%s' is not supported; save as 4.1 (Mesh.MshFileVersion = 4.1)", version);
    }
    if (!word().equals("0")) {
      throw at("the file is binary; save it in ASCII (Mesh.Binary = 0)");
    }
  }

  private void readPhysicalNames() throws IOException {
    nextLine("$PhysicalNames");
    int count = count();
    for (int k = 0; k < count; k++) {
      nextLine("$PhysicalNames");
      int dimension = integer();
      int tag = integer();
      String quoted = rest();
      if (quoted.length() < 2 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
        throw at("physical name %s is not in quotes; save the mesh again", quoted);
      }
      physicalNames.put(List.of(dimension, tag), quoted.substring(1, quoted.length() - 1));
    }
  }

  private void readEntities() throws IOException {
    nextLine("$Entities");
    int[] counts = {count(), count(), count(), count()};
    for (int dimension = 0; dimension < 4; dimension++) {
      for (int k = 0; k < counts[dimension]; k++) {
        nextLine("$Entities");
        int tag = integer();
        for (int skipped = 0; skipped < (dimension == 0 ? 3 : 6); skipped++) {
          real();
        }
        if (dimension >= 2) {
          nameEntity(dimension, tag);
        }
      }
    }
  }

  private void nameEntity(int dimension, int tag) {
    int groups = count();
    String found = null;
    for (int k = 0; k < groups; k++) {
      // Gmsh writes a negative tag where the group holds the entity with its orientation turned.
      String group = physicalNames.get(List.of(dimension, Math.abs(integer())));
      if (found != null && group != null && !group.equals(found)) {
        throw at(
            "%s %d belongs to the physical groups '%s' and '%s'; keep one of them",
            dimension == 2 ? "surface" : "volume", tag, found, group);
      }
      found = group == null ? found : group;
    }
    if (found != null) {
      entityNames.put(List.of(dimension, tag), found);
    }
  }

  private void readNodes() throws IOException {
    nextLine("$Nodes");
    int blocks = count();
    int nodes = count();
    coordinates = new double[Math.multiplyExact(3, nodes)];
    int next = 0;
    for (int block = 0; block < blocks; block++) {
      nextLine("$Nodes");
      integer();
      integer();
      integer();
      int count = count();
      if (next + count > nodes) {
        throw at("the blocks hold more nodes than the %d announced; save the mesh again", nodes);
      }
      for (int k = 0; k < count; k++) {
        nextLine("$Nodes");
        long tag = number();
        if (vertexByTag.putIfAbsent(tag, next + k) != null) {
          throw at("node %d is there twice; save the mesh again", tag);
        }
      }
      for (int k = 0; k < count; k++, next++) {
        nextLine("$Nodes");
        for (int axis = 0; axis < 3; axis++) {
          coordinates[3 * next + axis] = real();
        }
      }
    }
  }

  private void readElements() throws IOException {
    nextLine("$Elements");
    int blocks = count();
    for (int block = 0; block < blocks; block++) {
      nextLine("$Elements");
      int dimension = integer();
      int entity = integer();
      int type = integer();
      int count = count();
      String group = entityNames.get(List.of(dimension, entity));
      int region = type == TETRAHEDRON ? region(group) : 0;
      for (int k = 0; k < count; k++) {
        nextLine("$Elements");
        int tag = integer();
        if (type == TETRAHEDRON) {
          cellTags.add(tag);
          cellLines.add(line);
          regions.add(region);
          for (int v = 0; v < 4; v++) {
            vertices.add(vertex(tag));
          }
        } else if (type == TRIANGLE) {
          if (group != null) {
            triangles.put(Triangle.of(vertex(tag), vertex(tag), vertex(tag)), group);
          }
        } else if (!SKIPPED.contains(type)) {
          String remedy =
              type == 8 || type == 9 || type == 11
                  ? "save a mesh of first order (Mesh.ElementOrder = 1)"
                  : "mesh the volumes with tetrahedra only (no recombination, no layers)";
          throw at(
              "element %d is of type %d (%s), which the solver cannot use; %s",
              tag, type, OTHER_TYPES.getOrDefault(type, "see the Gmsh manual"), remedy);
        }
      }
    }
  }

  private int region(String group) {
    String region = group == null ? "" : group;
    if (!regionNames.contains(region)) {
      regionNames.add(region);
    }
    return regionNames.indexOf(region);
  }

  private int vertex(int element) {
    long tag = number();
    Integer vertex = vertexByTag.get(tag);
    if (vertex == null) {
      throw at(
          "element %d uses node %d, which is not in '$Nodes'; save the mesh again", element, tag);
    }
    return vertex;
  }

  private void nextLine(String section) throws IOException {
    String text = reader.readLine();
    if (text == null) {
      throw at(
          "the file ends inside section '%s'; it is truncated, save or copy it again", section);
    }
    line++;
    words = new StringTokenizer(text);
  }

  private String word() {
    if (!words.hasMoreTokens()) {
      throw at("the line is too short; the file is damaged, save or copy it again");
    }
    return words.nextToken();
  }

  /** What is left of the line. */
  private String rest() {
    return words.hasMoreTokens() ? words.nextToken("\n").strip() : "";
  }

  private int integer() {
    long number = number();
    if (number != (int) number) {
      throw at("%d is too large for a count or number of this reader; split the mesh", number);
    }
    return (int) number;
  }

  private int count() {
    int count = integer();
    if (count < 0) {
      throw at("%d is no count; the file is damaged, save or copy it again", count);
    }
    return count;
  }

  private long number() {
    String word = word();
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw at("'%s' is no whole number; the file is damaged, save or copy it again", word);
    }
  }

  private double real() {
    String word = word();
    try {
      double value = Double.parseDouble(word);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // falls through to the same message as a number that is not finite
    }
    throw at("'%s' is no finite number; the file is damaged, save or copy it again", word);
  }

  private MeshException at(String message, Object... values) {
    return new MeshException(name + ":" + line + ": " + message.formatted(values));
  }

  /** Integers without boxes, for what is as long as the mesh is large. */
  private static final class IntList {

    private int[] values = new int[1024];
    private int size;

    void add(int value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    int get(int index) {
      return values[index];
    }

    int[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }
}
