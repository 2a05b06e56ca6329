package org.troupe.em3d.display;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.em3d.VtkFile;
import org.troupe.em3d.VtkReader;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.Meshes;
import org.troupe.em3d.output.LivePanelTest;
import org.troupe.em3d.output.OutFolder;
import org.troupe.em3d.output.ResultFolder;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.run.ScriptedRun;
import org.troupe.em3d.state.ChangingNodesTest;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.FieldSlice;

/** The files that a run writes are complete, even after losses of nodes and on a full disk. */
@Timeout(120)
class FrameAssemblerTest {

  private static final MaxwellProblem PROBLEM = MaxwellProblem.of("cube:6", "auto", null);
  private static final OutputSpec FIELDS = new OutputSpec(16, List.of(), null);
  private static final OutputSpec PICTURES =
      new OutputSpec(
          0,
          List.of(
              new OutputSpec.Picture("middle", FieldSlice.parse("z=0.5:Ex"), 16),
              new OutputSpec.Picture("end", FieldSlice.parse("x=0.1:H"), 0)),
          null);

  private static LocalNodes nodes; // an assembler below uses it, which is created by reflection
  private static final AtomicBoolean KILLED = new AtomicBoolean();

  @TempDir private Path out;

  @BeforeEach
  void startNodes() {
    ActiveObjects.onFailure(failure -> {}); // calls to the lost
    nodes = LocalNodes.start(2);
    KILLED.set(false);
  }

  @AfterEach
  void endNodes() {
    nodes.close();
    ActiveObjects.onFailure(null);
  }

  private static void kill(int index) {
    nodes.kill(index);
    ActiveObjects.on(nodes.get(index))
        .createAsync(ChangingNodesTest.Prod.class)
        .exceptionally(lost -> null);
  }

  private ScriptedRun run(FrameAssembler assembler) {
    return new ScriptedRun(PROBLEM, nodes.nodes(), ScriptedRun.eager()).showTo(assembler);
  }

  private static FrameAssembler assembler(OutputSpec looks, Path folder) {
    return ActiveObjects.here().create(FrameAssembler.class, looks, folder.toString());
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectory(out.resolve(name));
  }

  private static List<String> files(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private static Map<String, byte[]> contents(Path folder) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (var file : files(folder)) {
      contents.put(file, Files.readAllBytes(folder.resolve(file)));
    }
    return contents;
  }

  private static void assertComplete(Path folder, Map<Integer, Integer> partsBySteps)
      throws IOException {
    var pvd = Files.readString(folder.resolve("fields.pvd"));
    assertThat(pvd.lines().filter(line -> line.contains("DataSet"))).hasSize(partsBySteps.size());
    for (var step : partsBySteps.entrySet()) {
      var name = "step-%07d".formatted(step.getKey());
      assertThat(pvd).contains("file=\"fields/" + name + ".pvtu\"");
      var pieces =
          Files.readAllLines(folder.resolve("fields").resolve(name + ".pvtu")).stream()
              .filter(line -> line.contains("<Piece"))
              .map(line -> line.replaceAll(".*Source=\"([^\"]*)\".*", "$1"))
              .toList();
      assertThat(pieces).hasSize(step.getValue());
      assertThat(VtkFile.of(folder.resolve("fields"), pieces).cells())
          .as(name)
          .isEqualTo(PROBLEM.cells());
      assertThat(VtkFile.of(folder.resolve("fields"), pieces).volume())
          .as(name)
          .isCloseTo(1, within(1e-12));
    }
    assertThat(files(folder.resolve("fields")))
        .hasSize(
            partsBySteps.size() + partsBySteps.values().stream().mapToInt(Integer::intValue).sum());
  }

  @Test
  void fieldsAreThoseOfTheRunHoweverItIsDividedAndWhoeverWritesThem() throws Exception {
    var shared = folder("shared");
    var sent = folder("sent");
    var whole = folder("whole");
    var first = assembler(FIELDS, shared);
    run(first).run();
    first.close();
    var second = assembler(FIELDS, sent);
    Files.writeString(sent.resolve("fields").resolve(FrameAssembler.MARK), "another run's");
    run(second).run();
    second.close();
    var third = assembler(FIELDS, whole);
    new ScriptedRun(MaxwellProblem.of("cube:6", "1x1x1", 1), nodes.nodes(), ScriptedRun.eager())
        .showTo(third)
        .run();
    third.close();

    assertComplete(shared, Map.of(0, 2, 16, 2, 32, 2, 40, 2));
    assertThat(contents(sent.resolve("fields")))
        .containsExactlyEntriesOf(contents(shared.resolve("fields")));
    var parts =
        VtkFile.of(
            shared.resolve("fields"),
            List.of("step-0000040-part-0.vtu", "step-0000040-part-1.vtu"));
    var one = VtkFile.of(whole.resolve("fields"), List.of("step-0000040-part-0.vtu"));
    assertThat(parts.vectorsByPlace("E")).isEqualTo(one.vectorsByPlace("E"));
    assertThat(parts.vectorsByPlace("H")).isEqualTo(one.vectorsByPlace("H"));
    assertThat(one.number("StepOfE")).isEqualTo(40);
    assertThat(one.number("StepOfH")).isEqualTo(39.5);
    assertThat(one.number("TimeValue")).isEqualTo(one.number("SecondsOfE"));
    assertThat(one.number("SecondsOfE") - one.number("SecondsOfH")).isPositive();
  }

  @Test
  void anIndependentReaderFindsTheSame() throws Exception {
    var reader = VtkReader.openOrSkip();
    var assembler = assembler(FIELDS, out);
    run(assembler).run();
    assembler.close();

    var pieces = piecesOf(16).stream().map(out.resolve("fields")::resolve).toList();
    var read = reader.read(pieces);

    assertThat(read.get("cells")).isEqualTo(PROBLEM.cells());
    assertThat(read.get("volume")).isCloseTo(1, within(1e-12));
    assertThat(read.get("StepOfH")).isEqualTo(15.5);
    var ours = VtkFile.of(out.resolve("fields"), piecesOf(16));
    for (var field : List.of("E", "H")) {
      var sum =
          ours.vectorsByPlace(field).values().stream()
              .flatMap(List::stream)
              .mapToDouble(each -> each * each)
              .sum();
      assertThat(read.get(field)).as(field).isCloseTo(sum, within(1e-12 * sum));
    }
  }

  @Test
  void vtkIntegratesOverAllCells() throws Exception {
    var reader = VtkReader.ofVtkOrSkip();
    for (var mesh : List.of("cube:6", Meshes.file("cube-coarse.msh").toString())) {
      for (var order : PolynomialOrder.values()) {
        var problem = MaxwellProblem.of(mesh, "auto", 2).withOrder(order);
        var folder = folder(problem.cells() + "-" + order);
        var assembler = assembler(FIELDS, folder);
        new ScriptedRun(problem, nodes.nodes(), ScriptedRun.eager()).showTo(assembler).run();
        assembler.close();

        var read = reader.read(List.of(folder.resolve("fields/step-0000000.pvtu")));

        assertThat(read.get("cells")).isEqualTo(problem.cells());
        assertThat(read.get("smallestVolume")).isPositive();
        assertThat(read.get("smallestJacobian")).isPositive();
        assertThat(read.get("volumes")).isCloseTo(1, within(1e-9));
        assertThat(read.get("volume")).as("by integration").isCloseTo(1, within(1e-9));
        var ours = VtkFile.of(folder.resolve("fields"), pieces(folder, 0)).integralOfSquare("E");
        assertThat(read.get("EE")).isCloseTo(ours, within(1e-9));
      }
    }
  }

  @Test
  void everyStepIsWholeAfterNodesHaveJoinedAndWereLost() throws Exception {
    var assembler = assembler(FIELDS, out);
    run(assembler).at(7, nodes::join).at(33, () -> kill(0)).run();
    assembler.close();

    assertComplete(out, Map.of(0, 2, 16, 3, 32, 3, 40, 2));
    assertThat(assembler.missing()).isEmpty();
  }

  /** Loses a node between the pieces of a step. */
  static class Losing extends FrameAssembler {

    public Losing(OutputSpec looks, String out) throws IOException {
      super(looks, out);
    }

    @Override
    public boolean written(int segment, int rank, FieldInstant moment) {
      if (moment.step() == 16 && KILLED.compareAndSet(false, true)) {
        kill(1 - rank); // rank k is on node k
      }
      return super.written(segment, rank, moment);
    }
  }

  @Test
  void aNodeThatIsLostWhileAStepIsWrittenLeavesNothingHalf() throws Exception {
    FrameAssembler assembler = ActiveObjects.here().create(Losing.class, FIELDS, out.toString());
    run(assembler).run();
    assembler.close();

    assertThat(KILLED).isTrue();
    assertThat(Files.readString(out.resolve("fields.pvd")))
        .contains("step-0000000", "step-0000016", "step-0000032", "step-0000040");
    assertThat(files(out.resolve("fields"))).noneMatch(name -> name.contains("unfinished"));
    assertThat(VtkFile.of(out.resolve("fields"), piecesOf(16)).cells()).isEqualTo(PROBLEM.cells());
  }

  private List<String> piecesOf(int step) throws IOException {
    return pieces(out, step);
  }

  private static List<String> pieces(Path folder, int step) throws IOException {
    return files(folder.resolve("fields")).stream()
        .filter(name -> name.startsWith("step-%07d-part".formatted(step)))
        .toList();
  }

  @Test
  @EnabledOnOs(OS.LINUX) // which has a device that is always full
  void aFullDiskCostsTheStepAndIsTold() throws Exception {
    var assembler = assembler(FIELDS, out);
    Files.writeString(out.resolve("fields").resolve(FrameAssembler.MARK), "another run's");
    var run = run(assembler).inVainAt(9, () -> fill(16, 1)).run();
    assembler.close();

    assertComplete(out, Map.of(0, 2, 32, 2, 40, 2));
    assertThat(assembler.missing()).containsExactly(16);
    assertThat(run.news())
        .filteredOn(line -> line.contains("could not be written"))
        .singleElement()
        .asString()
        .contains("step 16 could not be written to " + out.resolve("fields"), "No space left");
  }

  private void fill(int step, int rank) {
    try {
      Files.createSymbolicLink(
          VtkSeries.unfinished(out.resolve("fields"), 0, new FieldInstant(step, 1), rank),
          Path.of("/dev/full"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void picturesDoNotDependOnTheDivision() throws Exception {
    var divided = folder("divided");
    var whole = folder("whole");
    run(assembler(PICTURES, divided)).at(7, nodes::join).run();
    new ScriptedRun(MaxwellProblem.of("cube:6", "1x1x1", 1), nodes.nodes(), ScriptedRun.eager())
        .showTo(assembler(PICTURES, whole))
        .run();

    assertThat(files(whole))
        .containsExactly(
            "end-0000040.png",
            "middle-0000000.png",
            "middle-0000016.png",
            "middle-0000032.png",
            "middle-0000040.png");
    var pictures = contents(whole);
    assertThat(contents(divided).keySet()).isEqualTo(pictures.keySet());
    contents(divided)
        .forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(pictures.get(name)));
    var image = ImageIO.read(whole.resolve("middle-0000000.png").toFile());
    assertThat(image.getRGB(65, 240) >> 16 & 0xff).as("red, left").isLessThan(90); // -cos x sin y
    assertThat(image.getRGB(455, 240) & 0xff).as("blue, right").isLessThan(90);
  }

  @Test
  void theReportHasThePicturesAndTheSpectrumOfAProbe() throws Exception {
    var probed = LivePanelTest.withProbe("cube:6");
    var run = new ScriptedRun(probed, nodes.nodes(), ScriptedRun.eager()).run();
    var folder = out.resolve("results");
    boolean whole;
    try (var results =
        ResultFolder.open(folder, new OutputSpec(0, List.of(), null), progress -> {})) {
      whole = results.finish(run.report(), run.readings(), null);
    }

    assertThat(whole).isTrue();
    assertThat(files(folder))
        .contains("energy.csv", "probe.csv", "probe-spectrum.png", "report.html", "report.json")
        .noneMatch(name -> name.contains("unfinished"));
    assertThat(ImageIO.read(folder.resolve("probe-spectrum.png").toFile()).getWidth())
        .isEqualTo(720);
    assertThat(Files.readString(folder.resolve("report.html")).replaceAll("base64,[^\"]+", ""))
        .contains("<td>cube:6</td>", "alt=\"energy in the course of the run\"")
        .containsPattern("alt=\"spectrum of probe: E[xyz]\"")
        .doesNotContain("http");
  }

  @Test
  void onlyAFolderThatARunHasMadeIsOverwritten() throws Exception {
    var made = out.resolve("made");
    try (var first = OutFolder.make(made)) {
      first.write("old.csv", "old");
      assertThat(OutFolder.problem(made, true).orElse("")).contains("another run writes there");
    }
    var own = folder("own");
    Files.writeString(own.resolve("thesis"), "mine");

    assertThat(OutFolder.problem(made, false).orElse("")).contains("exists already");
    assertThat(OutFolder.problem(made, true)).isEmpty();
    assertThat(OutFolder.problem(own, true).orElse("")).contains("was not created by a run");
    OutFolder.make(made).close(); // which is empty
    assertThat(files(out).stream().collect(Collectors.joining(" "))).isEqualTo("own");
  }
}
