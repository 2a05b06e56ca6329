package org.troupe.em3d.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the reader takes, and what it says of files that it cannot take. */
class GmshReaderTest {

  /** Two cells with a common face, a named wall, sparse tags, and what is to be ignored. */
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
    assertThat(refusal("4.1 0 8", "2.2 0 8"))
        .isEqualTo(
            "test.msh:2: format version '2.2' is not supported; save as 4.1"
                + " (Mesh.MshFileVersion = 4.1)");
    assertThat(refusal("4.1 0 8", "4.1 1 8"))
        .isEqualTo("test.msh:2: the file is binary; save it in ASCII (Mesh.Binary = 0)");
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
    assertThat(refusal("99 10 20 30 50\n$EndElements\n", ""))
        .isEqualTo(
            "test.msh:48: the file ends inside section '$Elements'; it is truncated, save or copy"
                + " it again");
    assertThat(refusal("$EndElements\n", "")).startsWith("test.msh:49: the file ends inside");
    assertThat(refusal(from("30\n40"), "")).startsWith("test.msh:27: the file ends inside");
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
            "test.msh:38: 5000000000 is too large for a count or number of this reader; split the"
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
    assertThatThrownBy(() -> TetrahedralMesh.read(Path.of("no", "such.msh")))
        .isInstanceOf(MeshException.class)
        .hasMessage("mesh 'no/such.msh' does not exist; check the path, or make it with 'gmsh -3'");
    assertThatThrownBy(() -> TetrahedralMesh.read(folder))
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
    return TetrahedralMesh.read(Files.writeString(folder.resolve("test.msh"), text));
  }
}
