package org.troupe.em3d.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.em3d.VtkFile;
import org.troupe.em3d.cli.MainTest;
import org.troupe.em3d.output.FolderLock;
import org.troupe.em3d.output.OutFolder;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.run.ScriptedRun;

/** The messages and files of a run whose disk is full. */
@Timeout(120)
class FullDiskTest {

  private static final MaxwellProblem PROBLEM = MaxwellProblem.of("cube:6", "auto", null);

  @TempDir private Path folder;
  private Path disk; // null: none is mounted

  @AfterEach
  void unmount() throws Exception {
    if (disk != null) {
      assertThat(exitCode("umount", disk.toString())).isZero();
    }
  }

  /** A file system of its own, which only root can make. */
  private Path disk(int kibibytes) throws Exception {
    var mountPoint = Files.createDirectory(folder.resolve("disk"));
    var size = "size=" + kibibytes + "k";
    assumeTrue(
        exitCode("mount", "-t", "tmpfs", "-o", size, "tmpfs", mountPoint.toString()) == 0,
        "only root can mount a small disk");
    disk = mountPoint;
    return disk;
  }

  private static int exitCode(String... command) throws Exception {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return 127; // there is no such command
    }
  }

  private static List<String> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(Path::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ScriptedRun run(LocalNodes nodes, Path states) {
    return new ScriptedRun(
        PROBLEM, nodes.nodes(), ScriptedRun.eager(), StateArchive.class, states, "");
  }

  private static void putInTheWay(Path file) {
    try {
      Files.deleteIfExists(file);
      Files.createDirectories(file.resolve("something"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aStateOfTheEndThatIsMissingIsTriedOnceMoreAndTold() throws Exception {
    var states = folder.resolve("states");
    var file = RunCheckpoint.file(states);
    try (var nodes = LocalNodes.start(1)) {
      var run = run(nodes, states).inVainAt(15, () -> putInTheWay(file)).run();

      assertThat(run.news())
          .filteredOn(line -> line.contains("could not be written"))
          .last()
          .asString()
          .startsWith("the state of step 40 could not be written to " + file + ": ")
          .endsWith("; the run goes on without it");
      assertThat(run.states().finish())
          .startsWith("the state of the end is not in " + states + "; the last state, of step 10,");
      assertThat(files(states)).isEmpty();

      Files.delete(file.resolve("something"));
      Files.delete(file);
      assertThat(run.states().finish()).isEmpty();
      assertThat(RunCheckpoint.read(states).position().step()).isEqualTo(40);
    }
  }

  @Test
  void aRunOfWhichNoStateCouldBeWrittenDoesNotNameOne() throws Exception {
    var states = folder.resolve("states");
    putInTheWay(RunCheckpoint.file(states));
    try (var nodes = LocalNodes.start(1)) {
      var run = run(nodes, states).run();

      assertThat(run.states().advice())
          .isEqualTo(
              "no state could be written to " + states + "; make room there, and start again");
      assertThat(run.states().finish()).contains("the state of the end is not in " + states);
    }
  }

  @Test
  void aStateThatIsNotWrittenEndsTheProgramWithOne() throws Exception {
    var states = disk(64).resolve("states");

    var run =
        MainTest.run(
            "--mesh", "cube:9", "--steps", "20", "--jvms", "1", "--checkpoint", states.toString());

    assertThat(run.exitCode()).as(run.errors()).isEqualTo(1);
    assertThat(run.errors())
        .contains("the state of step 20 could not be written to", "No space left on device")
        .contains("the state of the end is not in " + states);
    assertThat(run.output()).contains("energy drift");
    assertThat(files(states)).containsExactly(states.resolve(".lock").toString());
  }

  /** From a disk that takes the mark of the folder and no more to one that takes nearly all. */
  @ParameterizedTest
  @ValueSource(ints = {16, 700})
  void resultsThatAreNotAllThereEndItWithOneAndTheTableAndWholeFiles(int kibibytes)
      throws Exception {
    var out = disk(kibibytes).resolve("out");
    var report = folder.resolve("report.json");

    var run =
        MainTest.run(
            "--mesh",
            "cube:9",
            "--steps",
            "20",
            "--jvms",
            "1",
            "--vtk",
            "5",
            "--slice",
            "z=0:Ez",
            "--out",
            out.toString(),
            "--report",
            report.toString());

    assertThat(run.exitCode()).as(run.errors()).isEqualTo(1);
    assertThat(run.errors()).contains("could not be written", "No space left on device");
    assertThat(run.output()).contains("energy drift");
    assertThat(report).exists();
    assertThat(files(out)).noneMatch(name -> name.contains("unfinished"));
    if (Files.exists(out.resolve("fields.pvd"))) {
      for (var line : Files.readAllLines(out.resolve("fields.pvd"))) {
        if (line.contains("DataSet")) {
          var step = line.replaceAll(".*file=\"fields/([^.]*).*", "$1");
          assertThat(VtkFile.of(out.resolve("fields"), List.of(step + "-part-0.vtu")).cells())
              .isEqualTo(3072);
        }
      }
    }
  }

  @Test
  void aFolderIsKeptToOneRun() throws Exception {
    var states = Files.createDirectory(folder.resolve("states"));
    var out = folder.resolve("out");
    try (var _ = FolderLock.take(states.resolve(".lock"));
        var results = OutFolder.make(out)) {
      results.write("energy.csv", "");

      var run = MainTest.run("--mesh", "cube:9", "--checkpoint", states.toString());
      var other = MainTest.run("--mesh", "cube:9", "--out", out.toString(), "--overwrite");

      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.errors())
          .contains("--checkpoint " + states + ": another run writes there: one of this program")
          .contains("name another folder, or wait for its end");
      assertThat(other.exitCode()).isEqualTo(2);
      assertThat(other.errors()).contains("--out " + out + ": another run writes there");
      assertThat(out.resolve("energy.csv")).exists();
    }
  }
}
