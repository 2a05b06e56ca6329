package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.Processes;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.deployment.runs.RunStatus.Thing;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.program.Deployer;
import org.troupe.program.Driver;
import org.troupe.program.Quick;
import org.troupe.testing.LogRecords;

@Timeout(240)
class RecordedRunTest {

  private static final Login GATEWAY =
      new Login(
          "gw",
          "gw.example",
          OptionalInt.of(2222),
          Optional.of("somebody else"),
          Optional.of(Path.of("/keys/with blank")),
          HostKeys.ACCEPT_NEW,
          List.of(),
          BatchElements.PLACE);
  private static final Login FRONT_END =
      new Login(
          "fe",
          "fe.example",
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          HostKeys.STRICT,
          List.of(GATEWAY),
          BatchElements.PLACE);

  @TempDir private Path home;
  private Process program;

  @AfterEach
  void endProgram() {
    if (program != null) {
      program.destroyForcibly();
    }
  }

  private static BatchJvms element(BatchJvms.Scheduler scheduler) {
    var element = BatchElements.of(scheduler, Optional.empty(), 1, 1);
    return new BatchJvms(
        element.id(),
        scheduler,
        Optional.of(FRONT_END),
        1,
        1,
        element.cpusPerJvm(),
        element.memoryBytesPerJvm(),
        element.wallTime(),
        element.queue(),
        element.account(),
        element.options(),
        element.prologue(),
        element.skip(),
        element.jvm(),
        element.cluster(),
        element.workingDirectory(),
        element.place());
  }

  @Test
  void aRecordSaysAllThatItWasTold() throws IOException {
    var run = RunJournal.create(home);
    var drmaa =
        new BatchJvms.Scheduler.Drmaa(Optional.of(Path.of("/lib/a b.so")), Optional.empty());
    run.begin(List.of(element(drmaa)), "");
    run.job(element(drmaa), "runs/1");
    run.submitted("runs/1", "4711");
    run.job(element(new BatchJvms.Scheduler.Pbs()), "runs/2");
    run.job(element(new BatchJvms.Scheduler.Slurm()), "runs/3");
    run.gone("runs/3");

    var said = RunRecord.read(home.resolve(run.id())).orElseThrow();

    assertThat(said.launcher().process()).contains(ProcessHandle.current());
    assertThat(said.machines())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("place", "via.place")
        .containsExactly(FRONT_END);
    assertThat(said.jobs())
        .extracting(job -> job.folder() + " " + job.number() + " " + job.scheduler())
        .containsExactly("runs/1 4711 " + drmaa, "runs/2  " + new BatchJvms.Scheduler.Pbs());
    assertThat(Files.getPosixFilePermissions(home.resolve(run.id())))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));

    var record = home.resolve(run.id()).resolve("record");
    var whole = Files.readString(record);
    Files.writeString(record, "job runs", StandardOpenOption.APPEND); // a power failure
    assertThat(RunRecord.read(record.getParent())).contains(said);
    Files.writeString(record, whole);

    run.gone("runs/1");
    run.end();
    assertThat(RecordedRun.all(home)).as("a job may be left").hasSize(1);
    run.gone("runs/2");
    run.end();
    assertThat(home).isEmptyDirectory();
  }

  private List<RecordedRun> runs() throws IOException {
    return RecordedRun.all(home.resolve(RunJournal.RUNS));
  }

  /**
   * Starts a program with two nodes, whose record is in the test's folder; returns the process ids
   * of its nodes.
   */
  private String[] start(String how) throws IOException {
    program =
        new ProcessBuilder(Quick.command(List.of("-Duser.home=" + home), Driver.class, how))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var said = program.inputReader().lines().filter(line -> line.startsWith("pids")).findFirst();
    return said.orElseThrow().substring("pids ".length()).split(" ");
  }

  @Test
  void oneThatCannotBeReadIsLeftOut(LogRecords logs) throws Exception {
    var known = RunJournal.create(home);
    known.begin(List.of(), "");
    var whole = Files.readString(home.resolve(known.id()).resolve("record"));
    var newer = Files.createDirectory(home.resolve("newer"));
    Files.writeString(newer.resolve("record"), whole + "job runs/1 cluster later none here\n");

    assertThat(RecordedRun.all(home)).extracting(RecordedRun::id).containsExactly(known.id());
    logs.expect(Level.WARNING, "run 'newer' is left out: ", "the scheduler 'later' is unknown");
    assertThat(newer).isNotEmptyDirectory();
    known.end();
  }

  @Test
  void aRunThatEndsInOrderHasNoRecord() throws Exception {
    start("exit");
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(runs()).isEmpty();
  }

  @Test
  void aRunningOneIsSeenAndLeftAlone() throws Exception {
    var nodes = start("wait");
    var run = runs().getFirst();
    var status = run.look();

    assertThat(status.state()).isEqualTo("running");
    assertThat(status.pid()).isEqualTo(program.pid());
    assertThat(status.things()).extracting(Thing::name).containsExactlyInAnyOrder(nodes);
    assertThatThrownBy(() -> run.clean(false))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageContaining("is running: process " + program.pid());
    assertThat(program.isAlive()).isTrue();

    assertThat(run.clean(true).things())
        .noneMatch(Thing::isLeft)
        .anyMatch(thing -> thing.name().equals("" + program.pid()));
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
    for (var node : nodes) {
      Processes.assertGone(Long.parseLong(node));
    }
    assertThat(runs()).isEmpty();
  }

  @Test
  void aKilledOneIsCleanedOfWhatIsProvenToBeItsOwn() throws Exception {
    start("wait");
    program.destroyForcibly().waitFor();
    var run = runs().getFirst();
    var mine = stray("-Dtroupe.run=" + run.id());
    var others = stray("-Dtroupe.run=" + run.id() + "x");
    try {
      assertThat(run.look().state()).isEqualTo("left behind");
      assertThat(run.look().things()).contains(process(mine, "running", true));

      var cleaned = run.clean(false);

      assertThat(cleaned.things())
          .contains(process(mine, "ended", false))
          .noneMatch(Thing::isLeft)
          .noneMatch(thing -> thing.name().equals("" + others.pid()));
      assertThat(mine.isAlive()).isFalse();
      assertThat(others.isAlive()).isTrue();
      assertThat(runs()).isEmpty();
    } finally {
      mine.destroyForcibly();
      others.destroyForcibly();
    }
  }

  @Test
  void whatAKilledOneHasOnHostsIsCleanedThere() throws Exception {
    try (var server = new SshServerForTests(home.resolve("server"))) {
      var config =
          server.writeConfig("Host far\n  HostName 127.0.0.1\n  Port " + server.port() + "\n");
      var options = List.of("-Duser.home=" + home, "-Dtroupe.ssh.config=" + config);
      program =
          new ProcessBuilder(Quick.command(options, Deployer.class, grid().toString(), "wait"))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      assertThat(program.inputReader().lines().takeWhile(line -> !line.equals("waiting")))
          .containsExactly("called far 1");
      var run = runs().getFirst();
      var node = onFar(run.look());
      assertThat(node).hasSize(1);
      var pid = Long.parseLong(node.getFirst().name());
      try {
        Processes.signal("STOP", pid); // a stopped process does not notice the end of its input
        program.destroyForcibly().waitFor();
        assertThat(run.look().state()).isEqualTo("left behind");
        assertThat(onFar(run.look())).extracting(Thing::name).containsExactly("" + pid);

        assertThat(run.clean(false).things()).noneMatch(Thing::isLeft);

        Processes.assertGone(pid);
        assertThat(runs()).isEmpty();
      } finally {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  private Path grid() throws IOException {
    return Files.writeString(
        home.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="workers"/></virtualNodes>
          <mapping><map virtualNode="workers" to="there"/></mapping>
          <infrastructure><ssh id="there" hosts="far"/></infrastructure>
        </troupe>
        """);
  }

  private static List<Thing> onFar(RunStatus status) {
    return status.things().stream()
        .filter(thing -> thing.where().equals("far") && thing.kind().equals("process"))
        .toList();
  }

  private static Thing process(Process process, String state, boolean isLeft) {
    return new Thing("process", "" + process.pid(), "this machine", state, isLeft);
  }

  /** A process that ends only when it is killed. */
  private static Process stray(String... arguments) throws IOException {
    var command = new java.util.ArrayList<>(List.of("/bin/sh", "-c", "echo; read line", "sh"));
    command.addAll(Arrays.asList(arguments));
    var process = new ProcessBuilder(command).start();
    assertThat(process.getInputStream().read()).isEqualTo('\n');
    return process;
  }
}
