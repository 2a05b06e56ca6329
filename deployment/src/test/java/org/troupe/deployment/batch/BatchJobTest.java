package org.troupe.deployment.batch;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.process.JobProcess;
import org.troupe.deployment.process.LocalMachine;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.descriptors.BatchJvms;
import org.troupe.testing.LogRecords;

/** The life of a job, with small scripts instead of Slurm's commands. */
@Timeout(60)
class BatchJobTest {

  private static final long SECONDS = 30;

  private static final BatchJvms ELEMENT =
      BatchElements.of(new BatchJvms.Scheduler.Slurm(), Optional.empty(), 1, 2);

  @TempDir private Path temporary;
  private Path scheduler;
  private final BatchSystems systems = new BatchSystems();
  private final Machine machine = new MachineOfSlurm();
  private RunJournal run;

  /** This machine, with Slurm's commands and another home directory. */
  private final class MachineOfSlurm implements Machine {

    private final Machine real = new LocalMachine();

    @Override
    public String name() {
      return "front end";
    }

    @Override
    public StartedProcess start(
        List<String> command, Map<String, String> environment, Optional<String> folder)
        throws IOException {
      var all = new HashMap<>(environment);
      all.put("PATH", scheduler + ":" + System.getenv("PATH"));
      all.put("HOME", temporary.toString());
      var program = scheduler.resolve(command.getFirst());
      return real.start(
          Files.exists(program)
              ? Stream.concat(Stream.of(program.toString()), command.stream().skip(1)).toList()
              : command,
          all,
          folder);
    }

    @Override
    public void put(Path file, String path) throws IOException {
      real.put(file, path);
    }

    @Override
    public void put(byte[] content, String path) throws IOException {
      real.put(content, path);
    }

    @Override
    public void close() {}
  }

  /**
   * Makes a Slurm whose jobs have the state in the file JOB.state, and run once JOB.go is written.
   */
  @BeforeEach
  void makeScheduler() throws IOException {
    scheduler = Files.createDirectory(temporary.resolve("slurm"));
    command(
        "sbatch",
        """
        cd "$(dirname "$0")"
        [ ! -f refusal ] || { cat refusal >&2; exit 1; }
        for script; do :; done
        id=$(($(ls *.state 2>/dev/null | wc -l) + 1))
        mkfifo $id.go
        echo "$id|PENDING|Resources|" >$id.state
        setsid /bin/sh -c 'read go <$0.go; SLURM_JOB_ID=$0 exec /bin/sh "$1"' $id "$script" >/dev/null 2>&1 &
        echo $! >$id.pid
        echo $id
        """);
    command(
        "squeue",
        """
        cd "$(dirname "$0")"
        echo "$@" >>squeue.log
        if [ -f away ]; then
          echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2
          exit 1
        fi
        cat *.state
        """);
    command("scontrol", "cat \"$(dirname \"$0\")/$4.end\"\n");
    command(
        "scancel",
        """
        cd "$(dirname "$0")"
        kill -- "-$(cat $1.pid)"
        echo "JobState=CANCELLED Reason=None ExitCode=0:15" >$1.end
        echo "$1|CANCELLED|None|" >$1.state
        """);
    command(
        "srun",
        """
        while [ "$1" != /bin/sh ]; do shift; done
        for rank in 0 1; do SLURM_PROCID=$rank "$@" & done
        wait
        """);
  }

  private void command(String name, String text) throws IOException {
    var file = Files.writeString(scheduler.resolve(name), "#!/bin/sh\n" + text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @BeforeEach
  void beginRun() {
    run = RunJournal.create(temporary.resolve("records"));
    run.begin(List.of(ELEMENT), "");
  }

  @AfterEach
  void close() {
    systems.close();
  }

  private BatchJob job(String standIn) {
    var job =
        new BatchJob(
            ELEMENT,
            run.id() + "-bundle",
            new BatchJob.Site() {
              @Override
              public RunJournal run() {
                return run;
              }

              @Override
              public Machine machine() {
                return machine;
              }

              @Override
              public JobWatch<BatchSystem> watch(Machine machine) throws IOException {
                return systems.of(ELEMENT, machine);
              }

              @Override
              public List<String> command(Machine machine) {
                return List.of("/bin/sh", "-c", standIn, "sh");
              }

              @Override
              public List<byte[]> withRoutes(List<byte[]> settings) {
                return settings;
              }
            });
    systems.add(job);
    return job;
  }

  private static void tell(BatchJob job) throws IOException {
    for (var rank = 0; rank < 2; rank++) {
      job.node(rank).getOutputStream().write("settings".getBytes(StandardCharsets.UTF_8));
      job.node(rank).getOutputStream().flush();
    }
  }

  private BatchJob submitted(String standIn) throws Exception {
    var job = job(standIn);
    tell(job);
    awaitProgress(job, "PENDING (Resources)");
    return job;
  }

  private static void awaitProgress(BatchJob job, String part) throws Exception {
    while (!job.progress(0).contains(part)) {
      assertThat(job.node(0).waitFor(100, TimeUnit.MILLISECONDS))
          .as("it ended; " + job.node(0).explanation())
          .isFalse();
    }
  }

  private void state(int job, String state) throws IOException {
    Files.writeString(scheduler.resolve(job + ".state"), job + "|" + state + "\n");
  }

  private void end(int job, String state, String scontrol) throws IOException {
    Files.writeString(scheduler.resolve(job + ".end"), "JobState=" + state + " " + scontrol);
    state(job, state + "|None|");
  }

  private void go(int job) throws IOException {
    state(job, "RUNNING|None|node-1");
    Files.writeString(scheduler.resolve(job + ".go"), "go\n");
  }

  /** Ends the processes of a job, as Slurm does before it reports the end of the job. */
  private void kill(int job) throws Exception {
    var group = "-" + Files.readString(scheduler.resolve(job + ".pid")).strip();
    assertThat(new ProcessBuilder("kill", "--", group).start().waitFor()).isZero();
  }

  private static void awaitEnd(JobProcess node) throws InterruptedException {
    assertThat(node.waitFor(SECONDS, TimeUnit.SECONDS)).as(node.progress().orElse("")).isTrue();
  }

  private void assertNothingIsLeft(BatchJob job) throws Exception {
    job.finished().get(SECONDS, TimeUnit.SECONDS);
    assertThat(temporary.resolve(RunJournal.RUNS)).isEmptyDirectory();
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void waitsRunsAndEnds() throws Exception {
    var job = submitted("echo out $2; echo err $2 >&2; exit $2");
    assertThat(job.progress(0))
        .matches("queued for \\d+ s, job 1 of Slurm: PENDING \\(Resources\\)");
    var waiting = job.status();
    assertThat(waiting.job()).isEqualTo("1");
    assertThat(waiting.state()).isEqualTo("queued");
    assertThat(waiting.reason()).isEqualTo("PENDING (Resources)");
    assertThat(waiting.submitMillis()).isPositive();
    assertThat(waiting.hasBegun()).isFalse();

    go(1);

    for (var rank = 0; rank < 2; rank++) {
      var node = job.node(rank);
      awaitEnd(node);
      assertThat(node.exitValue()).isEqualTo(rank);
      assertThat(text(node.getInputStream())).isEqualTo("out " + rank + "\n");
      assertThat(text(node.getErrorStream())).isEqualTo("err " + rank + "\n");
    }
    end(1, "COMPLETED", "Reason=None ExitCode=0:0");
    assertNothingIsLeft(job);
    assertThat(job.status().state()).isEqualTo("ended");
    assertThat(job.status().endMillis()).isPositive();
  }

  @Test
  void isNotSubmittedBeforeAllNodesHaveTheirSettings() throws Exception {
    var job = job("true");
    job.node(0).getOutputStream().write(1);
    job.node(0).getOutputStream().flush();

    job.node(0).getOutputStream().close();
    job.node(1).getOutputStream().close();

    awaitEnd(job.node(1));
    job.finished().get(SECONDS, TimeUnit.SECONDS);
    assertThat(scheduler.resolve("1.state")).doesNotExist();
  }

  @Test
  void leavesTheQueueWhenItIsNoLongerWanted() throws Exception {
    var job = submitted("true");

    job.node(0).getOutputStream().close();
    assertThat(job.node(0).isAlive()).isTrue();
    job.node(1).getOutputStream().close();

    awaitEnd(job.node(0));
    assertNothingIsLeft(job);
    assertThat(scheduler.resolve("1.state")).hasContent("1|CANCELLED|None|");
  }

  @Test
  void passesOnWhyItIsRefused() throws Exception {
    Files.writeString(
        scheduler.resolve("refusal"),
        "sbatch: error: Batch job submission failed: Invalid account\n");
    var job = job("true");

    tell(job);

    awaitEnd(job.node(1));
    assertThat(job.node(1).explanation().orElseThrow())
        .startsWith(
            "grid.xml:7:5: 'bundle' got no job from Slurm: sbatch: error: Batch job submission"
                + " failed: Invalid account; correct the element; the command was: sbatch ");
    assertThat(job.status().state()).isEqualTo("failed");
    assertThat(job.status().reason()).contains("Invalid account");
    assertNothingIsLeft(job);
  }

  @Test
  void saysThatAMachineFailed() throws Exception {
    var job = submitted("echo run; exec sleep 600");
    go(1);
    assertThat(job.node(0).getInputStream().read()).isEqualTo('r');

    end(1, "NODE_FAIL", "Reason=NodeDown ExitCode=1:0");

    awaitEnd(job.node(0));
    assertThat(job.node(0).explanation())
        .contains(
            "it ended with job 1 of Slurm: NODE_FAIL (NodeDown): a machine of the job failed");
    kill(1);
    assertNothingIsLeft(job);
  }

  @Test
  void saysThatTheTimeWasOver() throws Exception {
    var job = submitted("echo run; exec sleep 600");
    go(1);
    assertThat(job.node(0).getInputStream().read()).isEqualTo('r');
    assertThat(job.node(1).getInputStream().read()).isEqualTo('r');

    end(1, "TIMEOUT", "Reason=TimeLimit ExitCode=0:15 TimeLimit=00:10:00");
    kill(1);

    awaitEnd(job.node(0));

    assertThat(job.node(0).explanation().orElseThrow())
        .contains("job 1 of Slurm: TIMEOUT: it reached its time limit of 00:10:00");
    assertNothingIsLeft(job);
  }

  @Test
  void waitsLongForTheEndOfAJobOnlyWhereItIsReportedLate() {
    var late = Duration.ofSeconds(10);

    assertThat(BatchJob.patience(143, true, late)).isEqualTo(Duration.ofSeconds(20));
    assertThat(BatchJob.patience(143, true, Duration.ZERO)).isEqualTo(Duration.ofSeconds(3));
    assertThat(BatchJob.patience(137, true, late)).isEqualTo(Duration.ofSeconds(3));
    assertThat(BatchJob.patience(137, false, late)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void saysThatTheSchedulerDoesNotAnswerAndGoesOn(LogRecords records) throws Exception {
    var job = submitted("true");
    Files.createFile(scheduler.resolve("away"));

    awaitProgress(job, "Slurm has not answered for ");
    assertThat(job.progress(0))
        .startsWith("queued for ")
        .contains("PENDING (Resources)")
        .contains("Unable to contact slurm controller");

    Files.delete(scheduler.resolve("away"));
    go(1);
    awaitEnd(job.node(0));
    assertThat(job.node(0).exitValue()).isZero();
    end(1, "COMPLETED", "Reason=None ExitCode=0:0");
    assertNothingIsLeft(job);
    records.expect(
        WARNING, "Slurm does not answer; polling continues", "Unable to contact slurm controller");
  }

  @Test
  void allJobsShareAQuestion() throws Exception {
    var one = submitted("true");
    var other = submitted("true");
    systems.of(ELEMENT, machine).ask().get(SECONDS, TimeUnit.SECONDS);

    assertThat(Files.readString(scheduler.resolve("squeue.log"))).contains("--jobs=1,2 ");

    for (var job : List.of(one, other)) {
      job.node(0).getOutputStream().close();
      job.node(1).getOutputStream().close();
      assertThat(job.finished()).succeedsWithin(Duration.ofSeconds(SECONDS));
    }
  }
}
