package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.process.LocalMachine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.descriptors.BatchJvms;
import org.troupe.testing.Polling;

/** The machines of a held job: its real script, run by the shell, and requests to it. */
@Timeout(60)
class HeldAllocationTest {

  private static final JobReport RUNNING = new JobReport(JobState.RUNNING, "RUNNING");

  @TempDir private Path temporary;
  private Path hold;
  private final HoldingSystem system = new HoldingSystem();
  private HeldAllocation allocation;
  private Process script;

  /** The batch system of the held job. */
  private static final class HoldingSystem implements BatchSystem {

    private JobReport report = RUNNING;
    private JobEnd end;

    @Override
    public String submit(JobTemplate job) {
      throw new AssertionError("a request must not become a job");
    }

    @Override
    public List<String> submission(JobTemplate job) {
      return List.of();
    }

    @Override
    public Map<String, JobReport> report(Collection<String> jobIds) {
      assertThat(jobIds).containsExactly("17");
      return Map.of("17", report);
    }

    @Override
    public JobEnd end(String jobId) throws BatchException {
      if (end == null) {
        throw new BatchException.NotEnded("running");
      }
      return end;
    }

    @Override
    public void terminate(String jobId) {
      throw new AssertionError("a run must not end the held job");
    }
  }

  @BeforeEach
  void makeFolder() throws IOException {
    hold = Files.createDirectory(temporary.resolve("it's held"));
    allocation =
        new HeldAllocation(
            system,
            "17",
            hold.toString(),
            new MachineCommands(new LocalMachine(), Duration.ofSeconds(20)));
  }

  @AfterEach
  void end() throws InterruptedException {
    if (script != null) {
      script.destroy();
      assertThat(script.waitFor(30, TimeUnit.SECONDS)).as("the held job ends").isTrue();
      assertThat(hold).as("its folder").doesNotExist();
    }
  }

  /** Starts the held job. */
  private void begin(Duration wallTime) throws IOException {
    var element = BatchElements.of(new BatchJvms.Scheduler.Slurm(), Optional.empty(), 1, 1);
    var file =
        Files.writeString(
            temporary.resolve("hold-script"), HoldScript.of(element, hold.toString(), wallTime));
    script =
        new ProcessBuilder("/bin/sh", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(temporary.resolve("hold.log").toFile())
            .start();
  }

  /** Returns the job of a run, whose script is this text. */
  private JobTemplate job(String name, String text) throws IOException {
    var run = Files.createDirectory(temporary.resolve(name));
    Files.writeString(run.resolve("job"), text);
    return BatchJob.template(
        BatchElements.of(new BatchJvms.Scheduler.Slurm(), Optional.empty(), 1, 1),
        run.toString(),
        allocation);
  }

  private void await(String id, String state) throws Exception {
    Polling.until(
        "the state of " + id + " is " + state,
        () -> allocation.report(List.of(id)).get(id).text().contains(state));
  }

  @Test
  void requestsAreServedInOrder() throws Exception {
    var first = allocation.submit(job("one", "echo \"first\"; echo worse >&2; exit 5\n"));
    var second = allocation.submit(job("two", "cat ../one/job.out one/job.out 2>/dev/null\n"));
    assertThat(List.of(first, second)).containsExactly("17/1", "17/2");
    assertThat(allocation.report(List.of(first, second)).get(second))
        .isEqualTo(new JobReport(JobState.QUEUED, "waits until the held machines are free"));

    begin(Duration.ofHours(1));

    await(second, "ended with exit code");
    assertThat(allocation.end(first).exitCode()).hasValue(5);
    assertThat(temporary.resolve("one/job.out")).hasContent("first");
    assertThat(temporary.resolve("one/job.err")).hasContent("worse");
  }

  @Test
  void aRequestThatIsTerminatedEndsAndTheNextOneIsServed() throws Exception {
    begin(Duration.ofHours(1));
    var first =
        allocation.submit(
            job("one", "trap 'exit 9' TERM\necho begun\nwhile :; do sleep 0.1; done\n"));
    var second = allocation.submit(job("two", "exit 0\n"));
    var third = allocation.submit(job("three", "exit 0\n"));
    var output = temporary.resolve("one/job.out");
    Polling.until("the first job has begun", () -> Files.exists(output) && Files.size(output) > 0);

    allocation.terminate(second);
    allocation.terminate(first);

    await(third, "ended with exit code 0");
    assertThat(allocation.end(first).exitCode()).hasValue(9);
    assertThat(allocation.end(second).signal()).contains("15");
    assertThat(allocation.end(third).exitCode()).hasValue(0);
  }

  @Test
  void aRequestOfARunThatIsGoneIsPassedOver() throws Exception {
    var first = allocation.submit(job("one", "exit 0\n"));
    Files.delete(temporary.resolve("one/job"));
    var second = allocation.submit(job("two", "exit 0\n"));

    begin(Duration.ofHours(1));

    await(second, "ended with exit code 0");
    assertThat(allocation.end(first).signal()).contains("15");
  }

  @Test
  void theHeldJobEndsItselfBeforeItsTimeLimit() throws Exception {
    begin(Duration.ofSeconds(4));
    allocation.submit(job("one", "trap 'echo over; exit 0' TERM\nwhile :; do sleep 0.1; done\n"));

    assertThat(script.waitFor(40, TimeUnit.SECONDS)).isTrue();

    assertThat(hold).doesNotExist();
    assertThat(temporary.resolve("one/job.out")).hasContent("over");
  }

  @Test
  void aRequestIsReportedAsWaitingWhileTheHeldJobWaits() throws Exception {
    system.report = new JobReport(JobState.QUEUED, "PENDING (Priority)");

    var id = allocation.submit(job("one", "exit 0\n"));

    assertThat(allocation.report(List.of(id)).get(id))
        .isEqualTo(new JobReport(JobState.QUEUED, "the held job is PENDING (Priority)"));
    assertThatThrownBy(() -> allocation.end(id)).isInstanceOf(BatchException.NotEnded.class);
  }

  @Test
  void aRequestEndsWithTheHeldJob() throws Exception {
    var id = allocation.submit(job("one", "exit 0\n"));
    system.report = new JobReport(JobState.FAILED, "TIMEOUT");
    system.end = JobEnd.unknown("17", "TIMEOUT: it reached its time limit of 00:10:00");

    assertThat(allocation.report(List.of(id))).isEmpty();
    assertThat(allocation.end(id).text())
        .isEqualTo("the held job ended: TIMEOUT: it reached its time limit of 00:10:00");
  }

  @Test
  void aHeldJobThatHasEndedTakesNoRequest() throws Exception {
    Files.delete(hold);
    var job = job("one", "exit 0\n");

    assertThatThrownBy(() -> allocation.submit(job))
        .isInstanceOf(BatchException.class)
        .hasMessage("the held job 17 has ended; 'troupe hold' asks for machines again");
    assertThatThrownBy(() -> allocation.terminate("17/1")).hasMessage("the held job 17 has ended");
  }

  @Test
  void whatCannotBeHeldIsAProblem() {
    var drmaa = new BatchJvms.Scheduler.Drmaa(Optional.empty(), Optional.empty());
    var element = BatchElements.of(new BatchJvms.Scheduler.Pbs(), Optional.empty(), 1, 1);

    assertThat(HeldJob.problems(BatchElements.of(drmaa, Optional.empty(), 1, 1)))
        .singleElement()
        .asString()
        .contains("a <drmaa> element cannot be held");
    assertThat(
            HeldJob.problems(
                BatchElements.of(new BatchJvms.Scheduler.Htcondor(), Optional.empty(), 1, 1)))
        .singleElement()
        .asString()
        .contains("the machines of 'bundle' cannot be held, since HTCondor gives");
    assertThat(HeldJob.problems(element))
        .containsExactly(
            "grid.xml:7:5: the machines of 'bundle' would be held without a time limit; add"
                + " 'wallTime', after which they are given back");
    assertThat(HeldJob.problems(BatchElements.demanding(element))).isEmpty();
  }

  @Test
  void aRequestWhoseEndCannotBeWrittenIsNotServedAgain() throws Exception {
    begin(Duration.ofHours(1));
    var count = temporary.resolve("count");
    allocation.submit(
        job("one", "mkdir \"%s/run-1/end.new\"; echo served >>\"%s\"\n".formatted(hold, count)));
    await(allocation.submit(job("two", "exit 0\n")), "ended with exit code 0");

    await(allocation.submit(job("three", "exit 0\n")), "ended with exit code 0");

    assertThat(count).hasContent("served");
  }

  @Test
  void anEndThatIsNotVisibleYetIsNoEnd() throws Exception {
    var id = allocation.submit(job("one", "exit 0\n"));
    Files.createFile(hold.resolve("run-1/end"));

    assertThat(allocation.report(List.of(id)).get(id).state()).isEqualTo(JobState.RUNNING);
  }
}
