package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs {@code ps} and {@code clean}, on records that are written by hand. */
class RunsCommandsTest {

  private static final String HOME = "user.home";

  @TempDir private Path folder;
  private final String home = System.getProperty(HOME);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void moveHome() {
    System.setProperty(HOME, folder.toString());
  }

  @AfterEach
  void moveBack() {
    System.setProperty(HOME, home);
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  /**
   * Writes a record of a process that was started on this host before its last boot, or on another
   * host.
   */
  private Path record(String id, String host) throws IOException {
    var run = Files.createDirectories(folder.resolve(".local/state/troupe/runs").resolve(id));
    Files.writeString(
        run.resolve("record"), "launcher 1 0 1000 another-boot " + host + " troupe+run+x \n");
    return run;
  }

  private static String thisHost() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  @Test
  void whereNothingIsLeftTheySaySo() {
    assertThat(run("ps")).isZero();
    assertThat(out.toString()).contains("nothing is left behind");
    assertThat(run("clean")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("nothing is left behind\n");
    assertThat(run("ps", "-o", "json")).isZero();
    assertThat(out.toString().strip()).isEqualTo("[ ]");
  }

  @Test
  void whatIsLeftBehindIsShownAndRemoved() throws IOException {
    var run = record("0a1b", thisHost());

    assertThat(run("ps")).isZero();
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            "0a1b: left behind; process 1 on %s, since 1970-01-01T00:00:01Z: troupe run x\n  only its record was found\n"
                .formatted(thisHost()));

    assertThat(run("clean")).isZero();
    assertThat(out.toString())
        .isEqualToNormalizingNewlines("0a1b: record %s on this machine: removed\n".formatted(run));
    assertThat(run).doesNotExist();
  }

  @Test
  void aLongListIsCutUnlessAllIsAskedFor() throws IOException {
    for (var i = 0; i < 45; i++) {
      record("0a%02d".formatted(i), "another-host");
    }
    assertThat(run("ps")).isZero();
    assertThat(out.toString()).contains("... and 5 more of 45 runs; '--all' shows them");
    assertThat(out.toString().lines().filter(line -> line.contains("elsewhere;"))).hasSize(40);
    assertThat(run("ps", "--all")).isZero();
    assertThat(out.toString()).doesNotContain("...");
    assertThat(out.toString().lines().filter(line -> line.contains("elsewhere;"))).hasSize(45);
    assertThat(run("ps", "-o", "json")).isZero();
    assertThat(out.toString().lines().filter(line -> line.contains("\"id\""))).hasSize(45);
  }

  @Test
  void whatMayStillRunElsewhereIsLeftAlone() throws IOException {
    var run = record("0a1b", "another-host");
    record("0a2c", "another-host");

    assertThat(run("clean")).isZero();
    assertThat(out.toString()).contains("nothing is left behind");
    assertThat(run("clean", "0a1")).isEqualTo(2);
    assertThat(err.toString()).contains("troupe clean: '0a1' may still run; '--force' ends it");
    assertThat(run("clean", "0a")).isEqualTo(2);
    assertThat(err.toString())
        .contains("'0a' begins the ids of several runs; choose one of 0a1b, 0a2c");
    assertThat(run("clean", "0b")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no run '0b'; there are 0a1b, 0a2c");
    assertThat(run("clean", "--force")).isEqualTo(2);
    assertThat(err.toString()).contains("'--force' needs the ID of one run");
    assertThat(run).exists();

    assertThat(run("clean", "--force", "-o", "json", "0a1")).isZero();
    assertThat(out.toString()).contains("\"state\" : \"elsewhere\"", "\"removed\"");
    assertThat(run).doesNotExist();
  }

  /** Writes the record of a hold whose batch system cannot be asked from here. */
  private Path hold(String id) throws IOException {
    var run = record(id, thisHost());
    var file = run.resolve("record");
    var folder = ".local%2Fstate%2Ftroupe%2Fruns%2F" + id + "-bundle";
    Files.writeString(
        file,
        Files.readString(file)
            + "job %s bundle slurm  here%nheld %s 2 1%nsubmitted %s 17%n"
                .formatted(folder, folder, folder));
    return run;
  }

  @Test
  void aHoldThatCannotBeAskedIsKept() throws IOException {
    var hold = hold("0a1b");

    assertThat(run("ps")).isZero();
    assertThat(out.toString())
        .contains("0a1b: held for runs, since 1970-01-01T00:00:01Z: troupe run x")
        .contains("job 17 on Slurm: cannot be asked");
    assertThat(run("clean")).isZero();
    assertThat(out.toString()).contains("nothing is left behind");
    assertThat(run("cancel", "--of", "0a1b")).isEqualTo(1);
    assertThat(out.toString())
        .contains("job 17 on Slurm: cannot be cancelled")
        .contains("kept, since something is left");
    assertThat(hold).exists();

    assertThat(run("clean", "--force", "0a1b")).isEqualTo(1);
    assertThat(hold).doesNotExist();
  }

  @Test
  void aRunOnAHoldThatIsNotThereIsAMistake() throws IOException {
    record("0a2c", thisHost());

    assertThat(run("run", "--on", "0a2c", "em3d")).isEqualTo(2);
    assertThat(err.toString())
        .contains("there is no hold '0a2c'; 'troupe ps' shows holds, and 'troupe hold' makes one");
  }

  @Test
  void aBeginningOfSeveralHoldsIsAMistake() throws IOException {
    hold("0a1b");
    hold("0a2c");
    hold("0b3d");

    assertThat(run("run", "--on", "0a", "em3d")).isEqualTo(2);
    assertThat(err.toString())
        .contains("'0a' begins the ids of several holds; choose one of 0a1b, 0a2c;");
    assertThat(run("run", "--on", "", "em3d")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no hold ''; there are 0a1b, 0a2c, 0b3d");
  }

  @Test
  void nothingToHoldIsAMistake() throws IOException {
    var local =
        Files.writeString(
            folder.resolve("grid.xml"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <virtualNodes><virtualNode name="n"/></virtualNodes>
              <mapping><map virtualNode="n" to="here"/></mapping>
              <infrastructure><local id="here"/></infrastructure>
            </troupe>
            """);

    assertThat(run("hold", local.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("so there is nothing to hold");
    assertThat(run("ps")).isZero();
    assertThat(out.toString()).contains("nothing is left behind");
  }
}
