package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that the reader accepts, and its messages on others. */
class GmshReaderTest {

  /** Two cells with a common face, a named wall, sparse tags, and elements to be ignored. */
  private static final String TWO_CELLS =
      """
      $MeshFormat
      4.1 0 8
      $EndMeshFormat
      $Comments
      anything
      $EndComments
      $PhysicalNames
      2
      2 5 "pmc"
      3 6 "glass and air"
      $EndPhysicalNames
      $Entities
      1 1 1 2
      1 0 0 0 0
      1 0 0 0 1 0 0 0 2 1 -1
      3 0 0 0 1 1 1 1 -5 1 1
      7 0 0 0 1 1 1 1 6 1 3
      8 0 0 0 1 1 1 0 1 3
      $EndEntities
      $Nodes
      2 6 10 90
      0 1 0 2
      10
      20
      0 0 0
      1 0 0
      3 7 1 4
      30
      40
      50
      90
      0 1 0 0.5 0.5 0.5
      0 0 1
      0 0 -1e0
      7 7 7
      $EndNodes
      $Elements
      5 6 1 99
      0 1 15 1
      1 10
      1 1 1 1
      2 10 20
      2 3 2 2
      3 10 20 40
      4 10 20 30
      3 7 4 1
      5 10 20 30 40
      3 8 4 1
      99 10 20 30 50
      $EndElements
      """;

  @TempDir private Path folder;

  @Test
  void takesCellsRegionsAndNames() throws IOException {
    TetrahedralMesh mesh = read(TWO_CELLS);

    assertThat(mesh.cells()).isEqualTo(2);
    assertThat(mesh.volume()).isCloseTo(1.0 / 3, within(1e-15));
    assertThat(mesh.outerFaces()).isEqualTo(6);
    assertThat(mesh.neighbour(0, 3)).isEqualTo(1);
    assertThat(mesh.region(0)).isEqualTo("glass and air");
    assertThat(mesh.region(1)).isEmpty();
    // The other named triangle lies between the cells.
    assertThat(mesh.wallGroups()).isEqualTo(Map.of("pmc", 1));
  }

  @Test
  void takesWindowsLineEnds() throws IOException {
    assertThat(read(TWO_CELLS.replace("\n", "\r\n")).wallGroups()).isEqualTo(Map.of("pmc", 1));
  }

  @Test
  void doesWithoutNames() throws IOException {
    String plain = TWO_CELLS.replaceAll("(?s)\\$PhysicalNames.*\\$EndEntities\n", "");

    assertThat(read(plain).wallGroups()).isEmpty();
    assertThat(read(plain).region(0)).isEmpty();
  }

  @Test
  void namesTheVersionAndKindThatItCannotRead() {
    assertThat(refusal("4.1 0 8", "4 0 8"))
        .isEqualTo(
            "test.msh:2: format version '4' is not supported; save as 4.1"
                + " (Mesh.MshFileVersion = 4.1)");
    assertThat(refusal("4.1 0 8", "4.1 0 4"))
        .isEqualTo(
            "test.msh:2: the file is of kind '0' with numbers of '4' bytes, not text (0) or binary"
                + " (1) with 8; save the mesh again");
    assertThat(refusal("4.1 0 8", "4.1 1 8"))
        .isEqualTo(
            "test.msh: byte 24: the number 1, which tells the order of bytes, is 608530020; save"
                + " the mesh again");
    assertThat(refusal("$MeshFormat", "solid"))
        .isEqualTo(
            "test.msh:1: the file does not begin with '$MeshFormat'; save it as a Gmsh mesh of"
                + " version 4.1");
    assertThat(refusal(TWO_CELLS, "")).startsWith("test.msh:1: the file does not begin");
  }

  @Test
  void namesElementsOfOtherTypes() {
    assertThat(refusal("3 7 4 1", "3 7 11 1"))
        .isEqualTo(
            "test.msh:47: element 5 is of type 11 (second-order tetrahedron), which the solver"
                + " cannot use; save a mesh of first order (Mesh.ElementOrder = 1)");
    assertThat(refusal("2 3 2 2", "2 3 9 2"))
        .startsWith("test.msh:44: element 3 is of type 9 (second-order triangle)");
    assertThat(refusal("3 7 4 1", "3 7 5 1"))
        .isEqualTo(
            "test.msh:47: element 5 is of type 5 (hexahedron), which the solver cannot use; mesh"
                + " the volumes with tetrahedra only (no recombination, no layers)");
    assertThat(refusal("3 7 4 1", "3 7 93 1")).contains("type 93 (see the Gmsh manual)");
  }

  @Test
  void saysWhereTheFileEnds() {
    assertThat(refusal("99 10 20 30 50\n$EndElements\n", "99 10 20 30 50\n"))
        .isEqualTo(
            "test.msh:49: the file ends inside section '$Elements'; it is truncated, save or copy"
                + " it again");
    assertThat(refusal("99 10 20 30 50\n$EndElements\n", ""))
        .isEqualTo(
            "test.msh:48: 1 are announced, but the file ends 1 bytes later, inside section"
                + " '$Elements'; it is truncated or damaged, save or copy it again");
    assertThat(refusal("$EndElements\n", "")).startsWith("test.msh:49: the file ends inside");
    assertThat(refusal(from("30\n40"), ""))
        .startsWith("test.msh:21: 6 are announced, but the file ends 41 bytes later");
    assertThat(refusal(from("$Elements"), ""))
        .isEqualTo(
            "test.msh:36: the file ends without section '$Elements'; it is truncated or holds no"
                + " mesh, save it again");
    assertThat(refusal(from("$Nodes"), "")).contains("without section '$Nodes'");
  }

  @Test
  void saysWhichLineIsDamaged() {
    assertThat(refusal("5 10 20 30 40", "5 10 20 30"))
        .isEqualTo(
            "test.msh:47: the line is too short; the file is damaged, save or copy it again");
    assertThat(refusal("5 10 20 30 40", "5 10 20 30 4o"))
        .isEqualTo(
            "test.msh:47: '4o' is no whole number; the file is damaged, save or copy it again");
    assertThat(refusal("0 0 -1e0", "0 0 NaN"))
        .isEqualTo(
            "test.msh:34: 'NaN' is no finite number; the file is damaged, save or copy it again");
    assertThat(refusal("0 0 -1e0", "0 0 -1f0x")).contains("test.msh:34: '-1f0x' is no finite");
    assertThat(refusal("5 6 1 99", "-5 6 1 99"))
        .isEqualTo("test.msh:38: -5 is no count; the file is damaged, save or copy it again");
    assertThat(refusal("5 6 1 99", "5000000000 6 1 99"))
        .isEqualTo(
            "test.msh:38: 5000000000 are announced, but the file ends 126 bytes later, inside"
                + " section '$Elements'; it is truncated or damaged, save or copy it again");
    assertThat(refusal("99 10 20 30 50", "9900000000 10 20 30 50"))
        .isEqualTo(
            "test.msh:49: 9900000000 is too large for a count or number of this reader; split the"
                + " mesh");
    assertThat(refusal("\"pmc\"", "pmc"))
        .isEqualTo("test.msh:9: physical name pmc is not in quotes; save the mesh again");
    assertThat(refusal("$Comments", "Comments"))
        .isEqualTo(
            "test.msh:4: found 'Comments' where a section should begin; save the mesh again");
    assertThat(refusal("$Elements", "$Nodes"))
        .isEqualTo("test.msh:37: section '$Nodes' is there twice; save the mesh again");
  }

  @Test
  void saysWhichNumbersDoNotFitTogether() {
    assertThat(refusal("5 10 20 30 40", "5 10 20 30 41"))
        .isEqualTo(
            "test.msh:47: element 5 uses node 41, which is not in '$Nodes'; save the mesh again");
    assertThat(refusal("40\n50\n90", "40\n50\n40"))
        .isEqualTo("test.msh:31: node 40 is there twice; save the mesh again");
    assertThat(refusal("2 6 10 90", "2 5 10 90"))
        .isEqualTo(
            "test.msh:27: the blocks hold more nodes than the 5 announced; save the mesh again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1-binary", "2.2", "2.2-binary"})
  void allFormatsOfAMeshAreTheSame(String format) {
    TetrahedralMesh text = TetrahedralMeshTest.mesh("two-media-4.1.msh");
    TetrahedralMesh other = TetrahedralMeshTest.mesh("two-media-" + format + ".msh");

    if (format.equals("2.2")) { // equal to 16 digits; binary files are exact
      assertThat(other.fingerprint()).isEqualTo(text.fingerprint());
    }
    assertThat(text.cells()).isEqualTo(308);
    assertThat(text.volume()).isCloseTo(1.5, within(1e-12));
    assertThat(text.regionNames()).containsExactly("air", "glass, 2 mm");
    assertThat(other.regionNames()).isEqualTo(text.regionNames());
    assertThat(text.wallGroups()).containsOnlyKeys("pec", "absorbing");
    for (int cell = 0; cell < text.cells(); cell++) {
      assertThat(other.region(cell)).isEqualTo(text.region(cell));
      assertThat(other.barycentre(cell, 2)).isCloseTo(text.barycentre(cell, 2), within(1e-15));
      assertThat(text.region(cell)).isEqualTo(text.barycentre(cell, 0) < 1 ? "air" : "glass, 2 mm");
      for (int face = 0; face < 4; face++) {
        assertThat(other.isWall(cell, face)).isEqualTo(text.isWall(cell, face));
        if (text.isWall(cell, face)) {
          assertThat(other.wall(cell, face)).isEqualTo(text.wall(cell, face));
          assertThat(text.wall(cell, face))
              .isEqualTo(text.area(cell, face, 0) > 1e-9 ? "absorbing" : "pec");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.1-binary", "2.2", "2.2-binary"})
  void refusesEveryDamageWithoutALargeAllocation(String format) throws IOException {
    byte[] sound = Files.readAllBytes(Meshes.file("two-media-" + format + ".msh"));
    Random random = new Random(5);
    int refusals = 0;
    for (int k = 0; k < 150; k++) {
      byte[] damaged = sound.clone();
      for (int hit = 0; hit <= k % 3; hit++) {
        damaged[random.nextInt(sound.length)] = (byte) (k % 2 == 0 ? random.nextInt() : 0xff);
      }
      Path file = Files.write(folder.resolve("test.msh"), damaged);
      try {
        GmshReader.read(file); // a changed coordinate may be as good as another
      } catch (MeshException refused) {
        assertThat(refused).hasMessageStartingWith("test.msh");
        refusals++;
      }
    }
    assertThat(refusals).isPositive();
    for (int length = 0; length < sound.length - 20; length += 1 + sound.length / 60) {
      Path file = Files.write(folder.resolve("test.msh"), Arrays.copyOf(sound, length));
      assertThatThrownBy(() -> GmshReader.read(file))
          .as("cut at byte %d", length)
          .isInstanceOf(MeshException.class)
          .hasMessageStartingWith("test.msh");
    }
  }

  @Test
  void namesTheByteOfADamagedBinaryFile() throws IOException {
    byte[] bytes = Files.readAllBytes(Meshes.file("two-media-4.1-binary.msh"));
    byte[] cut = Arrays.copyOf(bytes, bytes.length - 100);

    assertThatThrownBy(() -> GmshReader.read(Files.write(folder.resolve("cut.msh"), cut)))
        .hasMessageMatching(
            "cut\\.msh: byte \\d+: the file ends inside section '\\$Elements'; it is truncated, save"
                + " or copy it again");
  }

  @Test
  void readsNumbersAsTheJdkDoes() throws IOException {
    Random random = new Random(3);
    for (int k = 0; k < 300; k++) {
      double x = Double.longBitsToDouble(random.nextLong());
      for (String text :
          List.of(
              String.valueOf(random.nextDouble()),
              String.format(Locale.ROOT, "%." + k % 18 + "f", random.nextGaussian() * 1e3),
              String.valueOf(Double.isFinite(x) ? x : 0),
              "+." + random.nextInt(100_000) + "e-" + k % 30)) {
        Path file = Files.writeString(folder.resolve("number"), text + (k % 2 == 0 ? "" : " 1\n"));
        try (MeshInput in = new MeshInput(file, read -> {})) {
          in.nextRecord();
          assertThat(in.real()).as(text).isEqualTo(Double.parseDouble(text));
        }
      }
    }
  }

  @Test
  void tellsHowMuchHasBeenRead() {
    List<Double> told = new ArrayList<>();
    GmshReader.read(Meshes.file("cube-hole.msh"), told::add);

    assertThat(told).isSorted().allMatch(part -> part >= 0 && part <= 1).endsWith(1.0);
  }

  @Test
  void knowsAGroupWithoutANameByItsNumber() throws IOException {
    assertThat(read(TWO_CELLS.replace("3 6 \"glass", "3 9 \"glass")).region(0)).isEqualTo("6");
    assertThat(refusal("3 7 4 1", "3 9 4 1"))
        .isEqualTo(
            "test.msh:46: the elements belong to volume 9, which is not in '$Entities'; save the"
                + " mesh again, not partitioned");
  }

  @Test
  void refusesANamedSurfaceThatBoundsNothing() {
    assertThat(refusal("3 10 20 40", "3 10 20 90"))
        .isEqualTo(
            "test.msh:44: element 3 of the physical group 'pmc' is no face of a cell, so it would"
                + " bound nothing; mesh the volume together with its surfaces, or take the surface"
                + " out of the group");
  }

  /** The second cell has nodes of its own where the first one has its corners. */
  @Test
  void refusesCellsThatTouchWithoutSharingAFace() throws IOException {
    String[] separate = {
      "2 6 10 90",
      "2 9 10 93",
      "3 7 1 4",
      "3 7 0 7",
      "90\n0 1 0 0.5 0.5 0.5\n0 0 1\n0 0 -1e0\n7 7 7\n",
      "90\n91\n92\n93\n0 1 0\n0 0 1\n0 0 -1e0\n7 7 7\n0 0 0\n1 0 0\n0 1 0\n",
      "99 10 20 30 50",
      "99 91 92 93 50",
      "4 10 20 30",
      "4 10 20 40",
    };
    assertThat(refusal(separate))
        .isEqualTo(
            """
            test.msh:53: element 5 has an outer face that does not match the cells behind it:\
             there are other nodes at all its corners; make the mesh conforming (in Gmsh:\
             Coherence, or BooleanFragments), or, if it is a wall, put it into a physical surface
            test.msh:55: element 99 has an outer face that does not match the cells behind it:\
             there are other nodes at all its corners; make the mesh conforming (in Gmsh:\
             Coherence, or BooleanFragments), or, if it is a wall, put it into a physical surface\
            """);
  }

  /** The second cell has half of the first one's face; one of its nodes lies on the face's edge. */
  @Test
  void refusesANodeInAFace() {
    assertThat(
            refusal(
                "7 7 7", "0.5 0 0",
                "99 10 20 30 50", "99 10 90 30 50",
                "4 10 20 30", "4 10 20 40"))
        .isEqualTo(
            "test.msh:47: element 5 has an outer face that does not match the cells behind it: a"
                + " node lies within it; make the mesh conforming (in Gmsh: Coherence, or"
                + " BooleanFragments), or, if it is a wall, put it into a physical surface");
  }

  @Test
  void takesCellsInEitherOrientationButNoneInsideOut() throws IOException {
    assertThat(read(TWO_CELLS.replace("5 10 20 30 40", "5 20 10 30 40")).volume())
        .isCloseTo(1.0 / 3, within(1e-15));
    assertThat(refusal("0 0 -1e0", "0.1 0.1 2"))
        .isEqualTo(
            "test.msh:47: element 5 and test.msh:49: element 99 overlap: both lie on the same side"
                + " of the face between them; one is turned inside out, make the mesh again");
  }

  @Test
  void refusesASurfaceWithTwoConditions() {
    assertThat(
            refusal(
                "2\n2 5 \"pmc\"\n3 6 \"glass and air\"\n$EndPhysicalNames",
                "2\n2 5 \"pmc\"\n2 6 \"pec\"\n$EndPhysicalNames",
                "1 1 1 1 -5 1 1",
                "1 1 1 2 -5 6 1 1"))
        .isEqualTo(
            "test.msh:16: surface 3 belongs to the physical groups 'pmc' and 'pec'; keep one of"
                + " them");
  }

  @Test
  void namesEveryCellWithoutVolume() {
    assertThat(refusal("5 10 20 30 40", "5 10 20 30 30", "99 10 20 30 50", "99 10 20 20 50"))
        .isEqualTo(
            "test.msh:47: element 5 has no volume; repair the mesh or make it again\n"
                + "test.msh:49: element 99 has no volume; repair the mesh or make it again");
    assertThat(refusal("0 0 -1e0", "0 0 -1e-17"))
        .isEqualTo("test.msh:49: element 99 has no volume; repair the mesh or make it again");
  }

  @Test
  void namesCellsThatOverlap() {
    String thirdCell = "3 8 4 2\n100 10 20 30 90";
    assertThat(refusal("3 8 4 1", thirdCell))
        .isEqualTo(
            "test.msh:47: element 5 has a face that it shares with test.msh:49: element 100 and"
                + " test.msh:50: element 99, but a face has at most two cells; remove cells that"
                + " overlap");
    assertThat(refusal("99 10 20 30 50", "99 30 20 40 10"))
        .isEqualTo(
            "test.msh:47: element 5 is there twice, again as test.msh:49: element 99; remove one");
    assertThat(refusal("3 8 4 1", "3 8 4 2\n100 30 20 10 50"))
        .isEqualTo(
            "test.msh:47: element 5 has a face that it shares with test.msh:49: element 100 and"
                + " test.msh:50: element 99, but a face has at most two cells; remove cells that"
                + " overlap\n"
                + "test.msh:49: element 100 is there twice, again as test.msh:50: element 99;"
                + " remove one");
  }

  @Test
  void asksForTetrahedraWhereThereAreNone() {
    assertThat(
            refusal("3 7 4 1\n5 10 20 30 40\n3 8 4 1\n99 10 20 30 50\n", "", "5 6 1 99", "3 4 1 4"))
        .isEqualTo(
            "test.msh: there are no tetrahedra in the file; mesh the volumes ('gmsh -3') and, where"
                + " there are physical groups, put the volumes into one");
  }

  @Test
  void namesAFileThatIsNotThere() {
    assertThatThrownBy(() -> GmshReader.read(Path.of("no", "such.msh")))
        .isInstanceOf(MeshException.class)
        .hasMessage("mesh 'no/such.msh' does not exist; check the path, or make it with 'gmsh -3'");
    assertThatThrownBy(() -> GmshReader.read(folder))
        .isInstanceOf(MeshException.class)
        .hasMessageContaining("cannot be read");
  }

  /** What the reader says of the two cells after replacing the first of each pair by the second. */
  private String refusal(String... replacements) {
    String text = TWO_CELLS;
    for (int k = 0; k < replacements.length; k += 2) {
      assertThat(text).contains(replacements[k]);
      int at = text.indexOf(replacements[k]);
      text =
          text.substring(0, at)
              + replacements[k + 1]
              + text.substring(at + replacements[k].length());
    }
    String damaged = text;
    return catchThrowableOfType(MeshException.class, () -> read(damaged)).getMessage();
  }

  private static String from(String start) {
    return TWO_CELLS.substring(TWO_CELLS.indexOf(start));
  }

  private TetrahedralMesh read(String text) throws IOException {
    return GmshReader.read(Files.writeString(folder.resolve("test.msh"), text));
  }
}
