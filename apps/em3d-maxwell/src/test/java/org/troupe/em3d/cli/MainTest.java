package org.troupe.em3d.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.deployment.runs.RunAction;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.em3d.mesh.Meshes;
import org.troupe.em3d.output.OutFolder;
import org.troupe.testing.Polling;

/** The program as it is run from a command line, here with its nodes in JVMs of their own. */
public class MainTest {

  private static final String SPHERE = Meshes.file("sphere.msh").toString();

  @TempDir private Path folder;

  @Test
  void solvesACubeOnTwoJvmsAndWritesTheReport() throws Exception {
    var report = folder.resolve("report.json");

    var run =
        run("--mesh", "cube:9", "--steps", "100", "--jvms", "2", "--report", report.toString());

    assertThat(run.errors()).doesNotContain("WARNING");
    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output())
        .contains("cube:9", "2  (2x1x1)", "2  (ibis, ", "energy drift", "0.3134");
    assertThat(Files.readString(report))
        .contains("\"cells\": 3072,", "\"jvms\": 2,", "\"transport\": \"ibis\",")
        .contains("\"steps\": 100,", "\"errorRelativeL2\": 0.31337")
        .containsPattern("\"launcher\": .*\"nodes\": [0-9.]+, .*\"shipping\": .*\"warm-up\": ");
  }

  @Test
  void aShortRunIsComputedByTheProgramItself() throws Exception {
    var report = folder.resolve("report.json");

    var run = run("--mesh", "cube:9", "--steps", "100", "--report", report.toString());

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output()).contains("1  (1x1x1)", "1  (this JVM)", "0.3134");
    assertThat(Files.readString(report))
        .contains("\"jvms\": 1,", "\"transport\": \"none\",", "\"errorRelativeL2\": 0.31337")
        .containsPattern("\"phases\": \\{\"launcher\": [0-9.]+, \"mesh\": .*\"warm-up\": ");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void asManyJvmsAreStartedAsNodesAreNeeded() throws Exception {
    var run = run("--mesh", "cube:5", "--steps", "20", "--min-nodes", "2");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output()).contains("2  (2x1x1)", "2  (ibis, ");
  }

  @Test
  void aRunThatIsTerminatedBeforeItsFirstStepLeavesNoFolder() throws Exception {
    var out = folder.resolve("out");
    var program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Stream.of("java.class.path", "jdk.module.path")
                    .map(System::getProperty)
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining(File.pathSeparator)),
                "org.troupe.em3d.cli.Main",
                "--mesh",
                "cube:129",
                "--out",
                out.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      Polling.until("the folder is made", () -> Files.exists(out) || !program.isAlive());
      program.destroy();

      var exitCode = program.waitFor();
      assertThat(exitCode).as(Files.readString(folder.resolve("output"))).isEqualTo(143);
      assertThat(out).doesNotExist();
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void aShortRunMayHaveSeveralSubDomainsInOneJvm() throws Exception {
    var run = run("--mesh", "cube:9", "--steps", "100", "--division", "2x2x1");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output()).contains("4  (2x2x1)", "1  (this JVM)", "0.3134");
  }

  @Test
  void moreThreadsThanProcessorsAreToldAndAbsurdOnesRefused() throws Exception {
    var refused = run("--mesh", "cube:3", "--threads", "100000");
    var report = folder.resolve("report.json");
    var told =
        run(
            "--mesh",
            "cube:3",
            "--jvms",
            "1",
            "--steps",
            "5",
            "--threads",
            "1000",
            "--report",
            report.toString());

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.errors()).contains("--threads 100000: ", "give at most 1,024");
    assertThat(told.exitCode()).as(told.errors()).isZero();
    assertThat(told.errors()).contains("warning: --threads 1000: node 'local-1' has ");
  }

  @Test
  void moreThreadsThanProcessorsAreToldWithoutNodesToo() throws Exception {
    var run = run("--mesh", "cube:3", "--steps", "5", "--threads", "1000");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.errors()).contains("warning: --threads 1000: this machine has ");
  }

  @Test
  void writesAFolderOfResultsThatIsWholeOrNotThere() throws Exception {
    var out = folder.resolve("out");

    var run =
        run(
            "--mesh",
            SPHERE,
            "--subdomains",
            "3",
            "--partitioner",
            "built-in",
            "--steps",
            "40",
            "--vtk",
            "25",
            "--slice",
            "z=0:Ez",
            "--out",
            out.toString());

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output()).containsPattern("3  \\(built-in bisection; \\d+ faces are cut\\)");
    assertThat(Files.readString(out.resolve("report.json")))
        .contains("\"partitioner\": \"built-in bisection\"")
        .contains("\"errorRelativeL2\": null", "\"subdomains\": 3");
    assertThat(Files.readAllLines(out.resolve("energy.csv")))
        .hasSize(1 + 5); // steps 0, 10, 20, 30, 39
    assertThat(Files.readString(out.resolve("fields.pvd")))
        .contains("step-0000000.pvtu", "step-0000025.pvtu", "step-0000040.pvtu");
    assertThat(out.resolve("slice-z0.0-Ez-0000040.png")).exists();
    assertThat(Files.readString(out.resolve("report.html")).replaceAll("base64,[^\"]+", "base64,"))
        .contains("<td>3,625", "alt=\"slice-z0.0-Ez-0000040.png\" src=\"data:image/png;base64,\"");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(out);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mesh nofile.msh | mesh 'nofile.msh' does not exist",
        "--mesh cube:many | mesh 'cube:many' has no number of points; write cube:33",
        "--mesh cube:9 --division 2x2 | division '2x2' is not of the form AxBxC",
        "--mesh cube:3 --division 9x1x1 | division '9x1x1' leaves sub-domains empty",
        "--division 2x1x1 --subdomains 2 | --division and --subdomains both say how to divide the mesh",
        "--mesh cube:9 --partitioner scissors | --partitioner must be 'auto', 'metis' or 'built-in', not 'scissors'",
        "--mesh cube:9 --adapt birds | --adapt must be 'on' or 'off', not 'birds'",
        "--mesh cube:9 --order 2 | order 2 is not supported; use 0, for constants in each cell, or 1",
        "--mesh cube:9 --jvms 0 | --jvms 0: at least one JVM is needed",
        "--mesh cube:9 --steps none | --steps must be a whole number, such as 4, not 'none'; see --help",
        "--jvms x | --jvms must be a whole number, such as 4, not 'x'; see --help",
        "--jvms 3000000000 | --jvms must be a whole number from -2147483648 to 2147483647, not '3000000000'",
        "--cfl half | --cfl must be a number, such as 0.5, not 'half'",
        "--grid grid.xml -D points | -D must be NAME=VALUE, such as -D jvms=4, not 'points'",
        "--min-nodes 0 | --min-nodes 0: at least one is needed",
        "--jvms 2 --min-nodes 3 | --min-nodes 3: only 2 JVMs are started; say --jvms 3",
        "--wait soon | 'soon' is no time; write such as 90s, 5m or 2h",
        "--adapt onn | --adapt must be 'on' or 'off', not 'onn'; did you mean 'on'?",
        "--checkpoint-every -1 | --checkpoint-every -1: give at least 1, or 0 for none",
        "--checkpoint /nowhere/states | '/nowhere' is not a writable folder",
        "--checkpoint pom.xml | --checkpoint pom.xml is no folder; name one, new or old",
        "--restart src | 'src' holds no state.em3d; name the folder that --checkpoint wrote to",
        "--mesh cube:700 --checkpoint-every 100 | of 'cube:700' takes",
        "--cfl 1.5 | --cfl 1.5: must be above 0, and at most 1",
        "--problem dipol | none of those that come with em3d; did you mean 'dipole'?",
        "--problem nothing.xml | nothing.xml: does not exist",
        "--problem cube --mesh cube:9 | --problem and --mesh both say what is solved",
        "--problem cube -D points=1 | a cube has 2 to 710 points per axis",
        "--problem cube -D pints=9 | -D sets pints, which cube does not declare; it has error, mode, points",
        "--grid nothing.xml | nothing.xml: does not exist",
        "--jvms 2 --grid grid.xml | --jvms and --grid both say where the nodes come from",
        "--report /nowhere/r.json | '/nowhere' is not a writable folder",
        "--out src | --out src exists already; name a new folder, or add --overwrite",
        "--out / | --out / exists already; name a new folder, or add --overwrite",
        "--out src --overwrite | --out src was not created by a run, so --overwrite does not",
        "--out new --checkpoint new | --checkpoint new: the run creates --out new anew, so states cannot be",
        "--overwrite | --overwrite replaces the folder of --out DIR; add that, or leave it out",
        "--vtk 10 | --vtk and --slice write into the folder of --out DIR; add that",
        "--out new --vtk 0 | --vtk 0: give at least 1 step, or leave it out",
        "--out new --slice z=half:Ez | slice 'z=half:Ez' is not of the form AXIS=METRES:COMPONENT",
        "--out new --mesh cube:5 --slice y=1.5:Ez | --slice y=1.5:Ez: the plane does not cut the mesh",
        "--out new --slice-every 5 | --slice-every says when to draw what --slice names",
        "--mehs cube:9 | '--mehs' is no option; did you mean '--mesh'?; see --help"
      })
  void refusesWrongOptionsInOneLineBeforeAnythingStarts(String options, String message) {
    var run = run(options.strip().split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).contains(message.strip()).doesNotContain("\tat ");
    assertThat(run.errors().strip().lines()).hasSize(1);
    assertThat(run.output()).isEmpty();
  }

  @Test
  void doesNotOverwriteWhatItBeginsWith() throws Exception {
    var out = OutFolder.make(folder.resolve("out")).path();
    var problem = Files.writeString(out.resolve("p.xml"), "<problem/>");

    var run = run("--problem", problem.toString(), "--out", out.toString(), "--overwrite");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).contains("would remove " + problem + ", an input of this run");
    assertThat(problem).exists();
  }

  @Test
  void tellsEveryMistakeAtOnce() {
    var run = run("--cfl", "2", "--steps", "0", "--mesh", "nofile.msh", "--restart", "src");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors().strip().lines()).hasSize(4);
  }

  @Test
  void aProblemThatMissesWhatItExpectsEndsWithOneAndItsReadings() throws Exception {
    var out = folder.resolve("out");

    var run =
        run(
            "--problem",
            "cube",
            "-D",
            "points=5",
            "-D",
            "error=1 %",
            "--jvms",
            "1",
            "--out",
            out.toString());

    assertThat(run.exitCode()).as(run.errors()).isEqualTo(1);
    assertThat(run.output())
        .contains("energy drift: met, found ", "error of E: MISSED, found ", "at most 0.0");
    assertThat(Files.readString(out.resolve("report.json"))).contains("\"isMet\": false}");
    assertThat(Files.readAllLines(out.resolve("inside.csv")))
        .hasSize(2 + 50)
        .contains("step,time,Ex,Ey,Ez,Hx,Hy,Hz")
        .element(51)
        .asString()
        .matches("49,1\\.0155257753156\\d+e-08(,-?\\d\\.\\d+(e-\\d\\d)?){6}");
  }

  @Test
  void aRunThatFailsLeavesWhatItHasMeasured() throws Exception {
    var out = folder.resolve("out");

    var run =
        run(
            "--mesh",
            "cube:5",
            "--cfl",
            "1.9",
            "--unstable",
            "--jvms",
            "1",
            "--steps",
            "5000",
            "--out",
            out.toString());

    assertThat(run.exitCode()).as(run.errors()).isEqualTo(1);
    assertThat(run.errors()).contains("grown without bound");
    var energies = Files.readAllLines(out.resolve("energy.csv"));
    assertThat(energies).hasSizeBetween(3, 501);
    var last = energies.getLast().substring(0, energies.getLast().indexOf(','));
    assertThat(run.errors().replace(",", ""))
        .contains("the measurements up to step " + last + " are in");
    assertThat(Files.readString(out.resolve("report.json")))
        .contains("\"stepsAsked\": 5000")
        .containsPattern("\"end\": \"failed: the fields have grown without bound[^\"]+\"}]");
  }

  @Test
  void aPlanStartsNothing() {
    var run = run("--mesh", "cube:33", "--jvms", "17", "--plan");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.errors()).isEmpty();
    assertThat(run.output())
        .contains("16 on 16 of 17 nodes  (4x2x2; 17 sub-domains would be no smaller)")
        .contains("cells each      12,288", "20,480, counted on both sides; 1,024 to 1,536 each")
        .contains("983,040 bytes per step", "2.591e-11 s  (0.9 of the bound");
  }

  @Test
  void anEndedRunIsGoneOnFromInAnotherProcessWithOtherNodes() throws Exception {
    var states = folder.resolve("states").toString();
    var whole = folder.resolve("whole");
    var second = folder.resolve("second");

    var first = run("--mesh", "cube:9", "--steps", "33", "--jvms", "1", "--checkpoint", states);
    var onward =
        run("--restart", states, "--steps", "60", "--jvms", "2", "--out", second.toString());
    run("--mesh", "cube:9", "--steps", "60", "--jvms", "1", "--out", whole.toString());

    assertThat(first.exitCode()).as(first.errors()).isZero();
    assertThat(onward.exitCode()).as(onward.errors()).isZero();
    assertThat(Files.readString(second.resolve("report.json")))
        .contains(
            "\"legs\": [{\"from\": 33, \"to\": 60, \"nodes\": 2, \"subdomains\": 2,"
                + " \"division\": \"2x1x1\", \"end\": \"complete\"}]")
        .contains(line("errorRelativeL2", whole));
    assertThat(Files.readAllLines(second.resolve("energy.csv")))
        .hasSameSizeAs(Files.readAllLines(whole.resolve("energy.csv")));
    assertThat(run("--mesh", "cube:17", "--restart", states).errors())
        .contains("is a state of 'cube:9' with 3,072 cells, not of 'cube:17' with 24,576");
    assertThat(run("--restart", states, "--order", "1").errors())
        .contains("is a state of a run with order 0, not 1; give that one, or none");
    assertThat(run("--restart", states, "--steps", "20").errors())
        .contains("--steps 20: the state in " + states + " is of step 33 already; give more");
    assertThat(run("--checkpoint", states).errors())
        .contains("holds a state already; continue from it with --restart " + states);
  }

  private static String line(String name, Path out) throws IOException {
    return Files.readAllLines(out.resolve("report.json")).stream()
        .filter(each -> each.contains(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void fewerNodesThanAskedForAreEnoughUnlessToldOtherwise() throws Exception {
    var grid = folder.resolve("grid.xml");
    Files.writeString(
        grid,
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="solvers"/></virtualNodes>
          <mapping><map virtualNode="solvers" to="here"/>
          <map virtualNode="solvers" to="odd"/></mapping>
          <infrastructure>
            <jvm id="odd-jvm"><option>-XX:+NoSuchThing</option></jvm>
            <local id="here" jvms="1"/>
            <local id="odd" jvms="1" jvm="odd-jvm"/>
          </infrastructure>
        </troupe>
        """);

    var fewer = run("--mesh", "cube:9", "--steps", "20", "--grid", grid.toString());
    var refused = run("--mesh", "cube:9", "--min-nodes", "2", "--grid", grid.toString());

    assertThat(fewer.exitCode()).as(fewer.errors()).isZero();
    assertThat(fewer.output()).contains("1  (1x1x1)");
    assertThat(fewer.errors()).contains("Unrecognized VM option 'NoSuchThing'");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.errors()).contains("of the 2 nodes needed of virtual node 'solvers'");
  }

  @Test
  void nodesThatCannotStartEndItWithTheirOwnLastWords() throws Exception {
    var grid = folder.resolve("grid.xml");
    Files.writeString(
        grid,
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="solvers"/></virtualNodes>
          <mapping><map virtualNode="solvers" to="here"/></mapping>
          <infrastructure>
            <jvm id="odd"><option>-XX:+NoSuchThing</option></jvm>
            <local id="here" jvms="2" jvm="odd"/>
          </infrastructure>
        </troupe>
        """);

    var run = run("--mesh", "cube:9", "--grid", grid.toString(), "--out", folder + "/out");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors()).contains("Unrecognized VM option 'NoSuchThing'", "grid.xml:");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  @Timeout(120)
  void aLiveRunIsShownAndStoppedOnAPanelOfTheDashboard() throws Exception {
    var running =
        CompletableFuture.supplyAsync(
            () -> run("--mesh", "cube:9", "--steps", "10000000", "--live"),
            task -> Thread.ofPlatform().start(task));
    var grid = gridOf(running);
    List<String> panels = new ArrayList<>();

    grid.watch(
        Duration.ofSeconds(1),
        "panels",
        "",
        line -> {
          if (line.contains("sub-domains by node") && line.contains("Ez at z")) { // after a step
            panels.add(line);
          }
          return panels.isEmpty();
        });
    grid.act(new RunAction.Press("em3d", "stop"));

    var run = running.get();
    assertThat(panels.getFirst())
        .contains("\"panel\":\"em3d\"", "Ez at z = 0.5 m", "\"buttons\":[\"pause\"");
    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output()).containsPattern("stopped at step [\\d,]+ of 10,000,000");
    assertThat(run.errors())
        .contains("dashboard: its address is in ", "shows the run on its panel 'em3d'");
  }

  /** Waits for the grid of a run in this JVM. */
  private static RunningGrid gridOf(CompletableFuture<Run> running) throws Exception {
    var pid = Long.toString(ProcessHandle.current().pid());
    while (!running.isDone()) {
      for (var each : RunningGrid.all()) {
        if (each.id().equals(pid) || each.id().startsWith(pid + "-")) {
          return each;
        }
      }
    }
    throw new AssertionError("the run has ended: " + running.get());
  }

  public record Run(int exitCode, String output, String errors) {}

  public static Run run(String... options) {
    var output = new ByteArrayOutputStream();
    var errors = new ByteArrayOutputStream();
    var formerOutput = System.out;
    var formerErrors = System.err;
    System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      var exitCode = Main.run(options);
      return new Run(
          exitCode,
          output.toString(StandardCharsets.UTF_8),
          errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(formerOutput);
      System.setErr(formerErrors);
    }
  }
}
