package org.troupe.em3d.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.xml.XmlForm.Rule;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.mesh.Meshes;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.state.RunCheckpoint;
import org.troupe.em3d.state.RunPosition;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ProblemReaderTest {

  private static final Offset<Double> EXACT = within(1e-7);

  @TempDir private Path folder;

  private ProblemRun read(String body) throws IOException {
    var file = folder.resolve("p.xml");
    Files.writeString(
        file, "<problem xmlns='urn:troupe:em3d:problem:1'>\n" + body + "\n</problem>");
    return read(file.toString(), Map.of());
  }

  private static ProblemRun read(String name, Map<String, String> given) {
    return ProblemReader.read(
        name, given, "auto", null, MeshPartitioner.BUILT_IN, (file, read) -> {});
  }

  @Test
  void saysWhatIsSolved() throws IOException {
    Files.copy(Meshes.file("cube-hole.msh"), folder.resolve("m.msh"));

    var task =
        read(
            """
            <mesh file='m.msh'/>
            <material group='vacuum' epsilon='2' mu='0.5'/>
            <box name='b' from='-50 -50 -50 cm' to='0.5 0.5 0.5'/>
            <material box='b' epsilon='9' conductivity='2 mS/m'/>
            <boundary group='pec' is='pmc'/>
            <planeWave direction='0 0 2' amplitude='3 0 0'>
              <wave frequency='1 GHz' begin='3.5 ns'/>
            </planeWave>
            <probe name='p' at='0.8 0.8 0.8' every='3'/>
            <flux name='f' group='absorbing'/>
            <picture name='q' component='Hy' plane='x = 0.25' every='7'/>
            <run periods='2' cfl='0.5'/>
            """);

    var setup = task.problem().setup();
    var media = setup.physics().media();
    assertThat(media.at("vacuum", 0.9, 0, 0)).isEqualTo(new Medium(2, 0.5));
    assertThat(media.at("vacuum", 0.4, 0, 0)).isEqualTo(new Medium(9, 1, 0.002));
    assertThat(setup.physics().boundaries().at("pec", 0, 0, 0)).isEqualTo(BoundaryCondition.PMC);
    assertThat(setup.physics().boundaries().at("absorbing", 0, 0, 0))
        .isEqualTo(BoundaryCondition.ABSORBING);
    assertThat(task.problem().isOpen()).isTrue();
    assertThat(setup.physics().sources())
        .singleElement(InstanceOfAssertFactories.type(FieldSource.PlaneWave.class))
        .satisfies(wave -> assertThat(wave.direction().z()).isEqualTo(1));
    assertThat(setup.start()).isEqualTo(new InitialFields.Zero());
    assertThat(setup.monitors())
        .extracting(FieldMonitor::name, FieldMonitor::every)
        .hasToString("[(\"p\", 3), (\"f\", 1)]");
    assertThat(setup.outputs())
        .containsExactly(new OutputRequest.Picture("q", FieldKind.H, 1, 0, 0.25, 7));
    assertThat(task.cfl()).isEqualTo(0.5);
    var seconds =
        task.steps(task.problem(), 0.5) * 0.5 * task.problem().stepBound() / Physics.SPEED_OF_LIGHT;
    assertThat(seconds).isCloseTo(2e-9, within(2e-11));
  }

  @Test
  void tellsEveryMistakeAtOnceWithItsPlaceAndRemedy() throws IOException {
    Files.copy(Meshes.file("cube-hole.msh"), folder.resolve("m.msh"));

    assertThatThrownBy(
            () ->
                read(
                    """
                    <mesh file='m.msh'/>
                    <material group='vacum' epsilon='-4'/>
                    <boundary group='pec' is='metal'/>
                    <start><cavityMode numbers='1 0 0'/></start>
                    <planeWave direction='1 0 0' amplitude='0 0 1'><gaussian peak='4 ns' width='1 ns'/></planeWave>
                    <dipole at='0.7 0 0' moment='0 0 1' radius='0.5 m'><wave frequency='3 kg'/></dipole>
                    <probe name='p' at='0 0 0'/>
                    <probe name='p' at='0.7 0.7'/>
                    <flux name='f' box='nowhere'/>
                    <prob/>
                    <run duration='5'/>
                    <expect><frequency probe='q' component='Ez' within='1 %'/></expect>
                    """))
        .isInstanceOf(DescriptorException.class)
        .extracting(e -> e.getMessage().replace(folder + "/", "").lines().toList())
        .isEqualTo(
            List.of(
                "p.xml:3:11: physical volume 'vacum' is unknown; did you mean 'vacuum'?",
                "p.xml:3:25: attribute 'epsilon' is '-4'; write a plain number above 0",
                "p.xml:4:23: boundary 'metal' is unknown; choose from 'pec', 'pmc', 'absorbing'",
                "p.xml:5:20: cavity mode 1,0,0 does not exist; use numbers of 0 or more, at most one of them 0",
                "p.xml:6:1: the plane wave would be at an absorbing face 3.336 ns before the run begins; let its pulse peak, or begin, at least so much later",
                "p.xml:7:37: the dipole at (0.7, 0.0, 0.0) m is too near to the surface of the mesh for a radius of 0.5 m; move it, or make its radius smaller",
                "p.xml:7:58: 'kg' in '3 kg' is no unit of a frequency; choose from 'Hz', 'kHz', 'MHz', 'GHz', 'THz'",
                "p.xml:8:17: the probe 'p' at (0.0, 0.0, 0.0) m is outside of the mesh; move it, or name the unit of its place",
                "p.xml:9:8: the name 'p' is taken already; use another",
                "p.xml:9:17: attribute 'at' is '0.7 0.7', which is not three numbers with spaces between them; write such as '0 0.5 1 m'",
                "p.xml:10:16: box 'nowhere' is unknown; there is none",
                "p.xml:11:1: element 'prob' is unknown in 'problem'; did you mean 'probe'?",
                "p.xml:11:1: 'probe' lacks the attribute 'name'; add name=\"...\"",
                "p.xml:11:1: 'probe' lacks the attribute 'at'; add at=\"...\"",
                "p.xml:12:6: attribute 'duration' is '5', without a unit; choose from 's', 'ms', 'us', 'ns', 'ps', 'fs'",
                "p.xml:13:9: neither this nor the start of the problem says which frequency is expected; add is=\"... MHz\"",
                "p.xml:13:20: probe 'q' is unknown; choose from 'p'"));
  }

  @Test
  void cellsInNoPhysicalVolumeAreVacuum() throws IOException {
    var mesh = Files.readString(Meshes.file("two-media-2.2.msh"));
    Files.writeString(folder.resolve("m.msh"), mesh.replace(" 4 2 7 2 ", " 4 2 0 2 "));

    var media =
        read("<mesh file='m.msh'/><material group='air' epsilon='4'/><run steps='1'/>")
            .problem()
            .setup()
            .physics()
            .media();

    assertThat(media.at("air", 0, 0, 0)).isEqualTo(new Medium(4, 1));
    assertThat(media.at("", 0, 0, 0)).isEqualTo(Medium.VACUUM);
  }

  @Test
  void aPlaneWaveComesInThroughVacuumOnlyAndLeavesAnywhere() throws IOException {
    var slab =
        """
        <mesh cube='5'/>
        <box name='b' from='0.5 0 0' to='1 1 1'/>
        <material box='b' epsilon='4'/>
        <boundary is='%s'/>
        <boundary group='xmin' is='absorbing'/>
        <boundary group='xmax' is='absorbing'/>
        <planeWave direction='1 0 0' amplitude='0 0 1'><gaussian peak='4 ns' width='1 ns'/></planeWave>
        <run steps='1'/>
        """;

    assertThat(read(slab.formatted("pec")).problem().setup().physics().sources()).hasSize(1);
    assertThatThrownBy(() -> read(slab.formatted("absorbing")))
        .hasMessageContaining("would enter through an absorbing face of another medium");
  }

  @Test
  void aModeThatASourceDisturbsIsNotTheExactSolution() throws IOException {
    var mode = "<mesh cube='9'/><start><cavityMode numbers='1 1 1'/></start>%s<run steps='1'/>";
    var dipole =
        "<dipole at='0.5 0.5 0.5' moment='0 0 1' radius='0.3 m'><wave frequency='1 GHz'/></dipole>";

    assertThat(read(mode.formatted("")).problem().start()).isInstanceOf(InitialFields.Cavity.class);
    assertThat(read(mode.formatted(dipole)).problem().start())
        .isInstanceOf(InitialFields.CavityAtRest.class);
  }

  @Test
  void aStateOfAnotherMeshOfAsManyCellsIsRefused() throws IOException {
    var values = new double[3 * 48];
    new RunCheckpoint(
            new RunCheckpoint.Run("other.msh", 99, 0, 48, PolynomialOrder.CONSTANT, 0.9),
            new RunPosition(3, 0.01, List.of()),
            values,
            values)
        .write(folder.resolve("states"));

    assertThatThrownBy(
            () -> read("<mesh cube='3'/><start><state folder='states'/></start><run steps='1'/>"))
        .hasMessageContaining(
            "is of 'other.msh' with 48 cells, not of 'cube:3' with 48; name a state of this mesh");
  }

  @Test
  void aWaveWithoutAFrequencyIsToldLikeAllElse() {
    var wave = "<dipole at='0 0 0' moment='0 0 1' radius='1 m'><wave/></dipole>";

    assertThatThrownBy(() -> read("<mesh cube='3'/>" + wave + "<run periods='3'/>"))
        .hasMessageContaining("'wave' lacks the attribute 'frequency'");
  }

  @Test
  void moreStepsThanCanBeCountedAreRefused() throws IOException {
    var task = read("<mesh cube='3'/><run duration='3 s'/>");

    assertThatThrownBy(() -> task.steps(task.problem(), 0.9))
        .hasMessageMatching(
            ".*p.xml has a duration of 3.000 s, which are \\S+e\\+09 steps of \\S+e-10 s; a run has at"
                + " most 2,147,483,647, so name the unit, such as ns, or give a shorter time");
  }

  @Test
  void fluxThatCannotBeIsRefused() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    <mesh cube='3'/>
                    <box name='all' from='-1 -1 -1' to='2 2 2'/>
                    <flux name='f' group='xmin'/>
                    <flux name='g' box='all'/>
                    <run steps='1'/>
                    """))
        .hasMessageContaining(
            "nothing leaves through 'xmin', which does not absorb; name an absorbing surface")
        .hasMessageContaining("the box has no surface inside the mesh");
  }

  @Test
  void whatCannotBeCheckedDrawnOrFilledIsRefusedAtItsLine() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    <mesh cube='5'/>
                    <box name='b' from='60 25 25 cm' to='90 75 75'/>
                    <material box='b' epsilon='4'/>
                    <start><cavityMode numbers='1 1 1'/></start>
                    <picture name='p' component='Ez' plane='z=5' every='1'/>
                    <run steps='1'/>
                    <expect><errorOfE atMost='1 %'/></expect>
                    """))
        .hasMessageContaining(":3:34: the box 'b' reaches 89.00 m out of the mesh")
        .hasMessageContaining(":6:34: the plane 'z=5' does not cut the mesh")
        .hasMessageContaining(":8:9: no exact solution of this problem is known");
  }

  @Test
  void variablesMakeOneFileManyProblems() {
    var usual = read("cube", Map.of());
    var other = read("cube", Map.of("points", "9", "mode", "0 1 2", "elsewhere", "1"));

    assertThat(usual.problem().mesh()).isEqualTo("cube:33");
    assertThat(usual.steps(usual.problem(), 0.9)).isEqualTo(400);
    assertThat(other.problem().mesh()).isEqualTo("cube:9");
    assertThat(other.problem().start())
        .isEqualTo(new InitialFields.Cavity(CavityMode.inVacuum(0, 1, 2)));
    assertThat(other.variables()).containsExactlyInAnyOrder("points", "mode", "error");
    assertThat(other.problem().setup().fingerprint())
        .isNotEqualTo(usual.problem().setup().fingerprint());
  }

  static List<String> readyMade() {
    return ProblemForm.READY_MADE;
  }

  @ParameterizedTest
  @MethodSource("readyMade")
  void theReadyMadeOnesAreRightForReaderAndSchema(String name) throws Exception {
    assertThat(read(name, Map.of()).problem().setup().expectations()).isNotEmpty();

    validate(ProblemForm.readyMade(name));
  }

  @Test
  void theReadyMadeOnesExpectTheFrequenciesOfTheirEquations() {
    assertThat(expectedOmega("sphere")) // (x j1(x))' = 0
        .isCloseTo(root(2, 3, x -> Math.cos(x) / x - Math.sin(x) / (x * x) + Math.sin(x)), EXACT);
    assertThat(expectedOmega("dielectric-slab"))
        .isCloseTo(
            root(
                2.5,
                2.7,
                w -> {
                  var within = Math.sqrt(4 * w * w - Math.PI * Math.PI);
                  var above = Math.sqrt(Math.PI * Math.PI - w * w); // decays
                  return Math.tan(within / 2) / within + Math.tanh(above / 2) / above;
                }),
            EXACT);
  }

  private static double expectedOmega(String name) {
    return read(name, Map.of()).problem().setup().expectations().stream()
        .filter(ExpectedResult.Frequency.class::isInstance)
        .map(ExpectedResult.Frequency.class::cast)
        .findFirst()
        .orElseThrow()
        .omega();
  }

  private static double root(double low, double high, DoubleUnaryOperator function) {
    for (var k = 0; k < 60; k++) {
      var middle = (low + high) / 2;
      if (function.applyAsDouble(low) * function.applyAsDouble(middle) > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Test
  void theExampleOfTheManualIsRightForTheSchema() throws Exception {
    var manual = Files.readString(Path.of("README.md"));
    var from = manual.indexOf("<problem ");

    validate(manual.substring(from, manual.indexOf("</problem>", from) + "</problem>".length()));
  }

  private static void validate(String problem) throws Exception {
    SchemaFactory.newDefaultInstance()
        .newSchema(new StreamSource(new StringReader(ProblemForm.xsd())))
        .newValidator()
        .validate(new StreamSource(new StringReader(problem)));
  }

  @Test
  void theSchemaForEditorsSaysWhatTheReaderDoes() throws Exception {
    var schema =
        DocumentBuilderFactory.newDefaultNSInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(ProblemForm.xsd())))
            .getDocumentElement();
    Map<String, Element> types = new TreeMap<>();
    for (var type : children(schema, "complexType")) {
      types.put(type.getAttribute("name"), type);
    }
    var root = all(schema, "element").getFirst();
    types.put("problem", children(root, "complexType").getFirst());

    assertSame(types, "problem", ProblemForm.FORM.root(), Set.of("variables"));
  }

  private static void assertSame(
      Map<String, Element> types, String type, Rule rule, Set<String> more) {
    Set<String> attributes = new TreeSet<>();
    for (var each : children(types.get(type), "attribute")) {
      var required = each.getAttribute("use").equals("required");
      attributes.add(each.getAttribute("name") + (required ? "" : "?"));
    }
    assertThat(attributes).as(rule.name()).containsExactlyInAnyOrderElementsOf(rule.attributes());
    Map<String, String> elements = new TreeMap<>();
    for (var each : all(types.get(type), "element")) {
      elements.put(each.getAttribute("name"), each.getAttribute("type"));
    }
    elements.keySet().removeAll(more);
    assertThat(elements.keySet())
        .as(rule.name())
        .containsExactlyInAnyOrderElementsOf(rule.children().stream().map(Rule::name).toList());
    for (var child : rule.children()) {
      assertSame(types, elements.get(child.name()), child, Set.of());
    }
  }

  private static List<Element> children(Element parent, String name) {
    return all(parent, name).stream().filter(each -> each.getParentNode() == parent).toList();
  }

  private static List<Element> all(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent.getElementsByTagNameNS("http://www.w3.org/2001/XMLSchema", name);
    for (var k = 0; k < nodes.getLength(); k++) {
      found.add((Element) nodes.item(k));
    }
    return found;
  }
}
