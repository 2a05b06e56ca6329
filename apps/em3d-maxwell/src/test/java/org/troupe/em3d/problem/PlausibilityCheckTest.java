package org.troupe.em3d.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.mesh.Meshes;

/** Inputs that would silently change a problem cause warnings. */
class PlausibilityCheckTest {

  @TempDir private Path folder;

  private MaxwellProblem read(String body) throws IOException {
    var file = folder.resolve("p.xml");
    Files.writeString(
        file,
        "<problem xmlns='urn:troupe:em3d:problem:1'>\n" + body + "\n<run steps='1'/></problem>");
    return ProblemReader.read(
            file.toString(), Map.of(), "auto", null, MeshPartitioner.BUILT_IN, (mesh, read) -> {})
        .problem();
  }

  private List<String> warnings(String body) throws IOException {
    return read(body).warnings();
  }

  private Path mesh(List<String> lines) throws IOException {
    return Files.write(folder.resolve("m.msh"), lines);
  }

  @ParameterizedTest
  @MethodSource("readyMade")
  void nothingIsToldOfTheReadyMadeOnes(String name) {
    var task =
        ProblemReader.read(
            name, Map.of(), "auto", null, MeshPartitioner.BUILT_IN, (mesh, read) -> {});

    assertThat(task.problem().warnings()).isEmpty();
  }

  static List<String> readyMade() {
    return ProblemForm.READY_MADE;
  }

  @Test
  void nothingIsToldOfAWholeMesh() {
    assertThat(MaxwellProblem.of(Meshes.file("cube.msh").toString(), "auto", 1).warnings())
        .isEmpty();
    assertThat(MaxwellProblem.of("cube:5", "auto", 1).warnings()).isEmpty();
  }

  /** The hole conducts, so the cube's mode is not a mode of this mesh. */
  @Test
  void aMissingCellIsTold() throws IOException {
    var file = mesh(withoutOneCell(Files.readAllLines(Meshes.file("cube.msh"))));

    assertThat(MaxwellProblem.of(file.toString(), "auto", 1).warnings())
        .satisfiesExactly(
            told ->
                assertThat(told)
                    .contains("4 of the ", "outer faces of '" + file, "are in no physical surface"),
            told ->
                assertThat(told).contains("is not the closed unit cube", "sphere's lowest mode"));
    assertThat(warnings("<mesh file='m.msh'/>"))
        .singleElement()
        .asString()
        .contains("4 of the ", "are in no physical surface and conduct");
    assertThat(warnings("<mesh file='m.msh'/><boundary is='pec'/>")).isEmpty();
  }

  /** Takes the tetrahedron away that is nearest to the middle of the list. */
  private static List<String> withoutOneCell(List<String> mesh) {
    var lines = new ArrayList<>(mesh);
    var at = lines.indexOf("$Elements") + 1;
    change(lines, at, 1, -1);
    at++;
    while (!lines.get(at).split(" ")[2].equals("4")) {
      at += 1 + Integer.parseInt(lines.get(at).split(" ")[3]);
    }
    var cells = Integer.parseInt(lines.get(at).split(" ")[3]);
    change(lines, at, 3, -1);
    lines.remove(at + cells / 2);
    return lines;
  }

  private static void change(List<String> lines, int line, int word, int by) {
    var words = lines.get(line).split(" ");
    words[word] = String.valueOf(Integer.parseInt(words[word]) + by);
    lines.set(line, String.join(" ", words));
  }

  @Test
  void cellsThatOnlyTouchInAnEdgeAreTold() throws IOException {
    mesh(
        """
        $MeshFormat
        2.2 0 8
        $EndMeshFormat
        $Nodes
        6
        1 0 0 0
        2 1 0 0
        3 0 1 0
        4 0 0 1
        5 0 -1 0
        6 0 0 -1
        $EndNodes
        $Elements
        2
        1 4 2 1 1 1 2 3 4
        2 4 2 1 1 1 2 5 6
        $EndElements
        """
            .lines()
            .toList());

    assertThat(warnings("<mesh file='m.msh'/><boundary is='pec'/>"))
        .singleElement()
        .asString()
        .contains("are in 2 parts that share no face", "the smallest has 1 of 2 cells");
  }

  @ParameterizedTest
  @CsvSource({
    "0.01 ns, CONSTANT, true",
    "1 ns, CONSTANT, false",
    "0.5 ns, CONSTANT, true",
    "0.5 ns, LINEAR, false"
  })
  void aPulseThatTheMeshCannotCarryIsTold(String width, PolynomialOrder order, boolean isTold)
      throws IOException {
    var problem =
        read("<mesh cube='9'/><boundary is='absorbing'/><planeWave direction='1 0 0' amplitude='0 0 1'>"
                + "<gaussian peak='9 ns' width='"
                + width
                + "'/></planeWave>")
            .withOrder(order);

    if (isTold) {
      assertThat(problem.warnings())
          .singleElement()
          .asString()
          .startsWith("the plane wave along (1.000, 0.000, 0.000) has waves of ")
          .contains("100 % of the mesh has fewer than 4 cells", "use a finer mesh");
    } else {
      assertThat(problem.warnings()).isEmpty();
    }
  }

  /** Waves are shorter where the permittivity is high. */
  @Test
  void aWaveThatAMaterialCannotCarryIsTold() throws IOException {
    var wave =
        "<mesh cube='17'/><box name='b' from='0.5 0 0' to='1 1 1'/>%s<boundary group='xmin' is='absorbing'/>"
            + "<planeWave direction='1 0 0' amplitude='0 0 1'><wave frequency='500 MHz'/></planeWave>";

    assertThat(warnings(wave.formatted(""))).isEmpty();
    assertThat(warnings(wave.formatted("<material box='b' epsilon='36'/>")))
        .singleElement()
        .asString()
        .contains("has waves of 0.600 m, for which 50 % of the mesh has fewer than 4 cells")
        .contains("lower frequency");
  }

  @Test
  void aBallOfFewerCellsThanItNeedsIsTold() throws IOException {
    var problem =
        read(
            "<mesh cube='17'/><dipole at='0.5 0.5 0.5' moment='0 0 1' radius='0.13 m'>"
                + "<gaussian peak='9 ns' width='1 ns'/></dipole>");

    assertThat(problem.warnings())
        .singleElement()
        .asString()
        .containsPattern("the dipole at \\(0.5000, 0.5000, 0.5000\\) m is carried by 2\\d\\d cells")
        .contains("fewer than 400", "or take --order 1");
    assertThat(problem.withOrder(PolynomialOrder.LINEAR).warnings()).isEmpty();
  }

  @Test
  void mediaFasterThanLightAreToldWithTheirPlace() throws IOException {
    assertThat(warnings("<mesh cube='5'/><material group='cube' epsilon='0.25'/>"))
        .singleElement()
        .asString()
        .contains("p.xml:2:", "permittivity 0.25", "2.00 times as fast as light");
    assertThat(warnings("<mesh cube='5'/><material group='cube' epsilon='4' mu='0.5'/>")).isEmpty();
  }

  @Test
  void aBoxThatCutsCellsIsTold() throws IOException {
    var slab =
        "<mesh cube='%d'/><box name='b' from='0 0 0' to='1 1 0.5'/><material box='b' epsilon='4'/>";

    assertThat(warnings(slab.formatted(5))).isEmpty();
    assertThat(warnings(slab.formatted(6)))
        .singleElement()
        .asString()
        .contains("the surface of the box 'b' cuts 150 cells");
  }

  @Test
  void cellsInNoPhysicalVolumeAreToldIfOthersAreFilled() throws IOException {
    var text = Files.readString(Meshes.file("two-media-2.2.msh"));
    mesh(text.replace(" 4 2 7 2 ", " 4 2 0 2 ").lines().toList());

    assertThat(
            warnings("<mesh file='m.msh'/><boundary is='pec'/><material group='air' epsilon='4'/>"))
        .singleElement()
        .asString()
        .contains("cells are in no physical volume and filled with vacuum");
  }
}
