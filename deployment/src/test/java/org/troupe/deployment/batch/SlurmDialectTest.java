package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.deployment.batch.Answers.failed;
import static org.troupe.deployment.batch.Answers.said;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Recorded answers of Slurm 22.05. */
class SlurmDialectTest {

  private final SlurmDialect slurm = new SlurmDialect();

  @Test
  void submitsWithOneArgumentPerOption() {
    var job =
        new JobTemplate(
            "troupe-alpha",
            "/home/me/run",
            List.of("--nodes=2", "--comment=two words"),
            List.of("/home/me/run/job"),
            Optional.empty());

    assertThat(slurm.submit(job))
        .containsExactly(
            "sbatch",
            "--parsable",
            "--job-name=troupe-alpha",
            "--chdir=/home/me/run",
            "--output=/home/me/run/job.out",
            "--error=/home/me/run/job.err",
            "--nodes=2",
            "--comment=two words",
            "/home/me/run/job");
  }

  @Test
  void findsTheIdWithAndWithoutACluster() {
    assertThat(slurm.submitted(said("123\n"))).contains("123");
    assertThat(slurm.submitted(said("sbatch: note\n123;main\n"))).contains("123");
    assertThat(
            slurm.submitted(
                failed(
                    1,
                    "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job"
                        + " submission failed: Invalid partition name specified")))
        .isEmpty();
  }

  @Test
  void readsStatesWithTheirReasons() {
    var states =
        slurm
            .states(
                said(
                    """
                    2|PENDING|PartitionNodeLimit|
                    5|PENDING|Resources|
                    8|PENDING|JobHeldUser|
                    9|PENDING|(Nodes required for job are DOWN, DRAINED)|
                    1|RUNNING|None|alpha-[1-2]
                    13|COMPLETING|None|alpha-1
                    11|FAILED|JobLaunchFailure|alpha-1
                    """),
                List.of())
            .orElseThrow();

    assertThat(states.get("2"))
        .isEqualTo(new JobReport(JobState.QUEUED, "PENDING (PartitionNodeLimit)"));
    assertThat(states.get("5")).isEqualTo(new JobReport(JobState.QUEUED, "PENDING (Resources)"));
    assertThat(states.get("8"))
        .isEqualTo(new JobReport(JobState.HELD_BY_USER, "PENDING (JobHeldUser)"));
    assertThat(states.get("9").text())
        .isEqualTo("PENDING (Nodes required for job are DOWN, DRAINED)");
    assertThat(states.get("1"))
        .isEqualTo(new JobReport(JobState.RUNNING, "RUNNING on alpha-[1-2]"));
    assertThat(states.get("13").hasEnded()).isFalse();
    assertThat(states.get("11").hasEnded()).isTrue();
  }

  @Test
  void knowsAForgottenJobFromALostController() {
    var forgotten = failed(1, "slurm_load_jobs error: Invalid job id specified\n");
    var away =
        failed(1, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n");

    assertThat(slurm.states(forgotten, List.of("77"))).contains(Map.of());
    assertThat(slurm.isAway(forgotten)).isFalse();
    assertThat(slurm.states(away, List.of("77"))).isEmpty();
    assertThat(slurm.isAway(away)).isTrue();
  }

  private JobEnd end(String scontrol) {
    return slurm.ended("7", said(scontrol)).orElseThrow();
  }

  @Test
  void readsHowAJobEnded() {
    var failed =
        end(
            "JobId=12 JobName=e3 UserId=griduser(5000) GroupId=griduser(5000) MCS_label=N/A"
                + " Priority=4294901749 Nice=0 Account=(null) QOS=(null) JobState=FAILED"
                + " Reason=NonZeroExitCode Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1"
                + " Reboot=0 ExitCode=3:0 RunTime=00:00:00 TimeLimit=01:00:00"
                + " StartTime=2026-11-21T23:28:36");
    assertThat(failed.exitCode()).hasValue(3);
    assertThat(failed.text()).isEqualTo("FAILED (NonZeroExitCode)");

    var killed = end("JobId=11 JobState=FAILED Reason=JobLaunchFailure ExitCode=0:9");
    assertThat(killed.exitCode()).isEqualTo(OptionalInt.empty());
    assertThat(killed.signal()).contains("9");

    assertThat(
            end("JobId=10 JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15 TimeLimit=00:01:00")
                .text())
        .isEqualTo("TIMEOUT: it reached its time limit of 00:01:00");
    assertThat(end("JobId=13 JobState=CANCELLED Reason=None ExitCode=0:15").text())
        .isEqualTo("CANCELLED: the job was cancelled");
    assertThat(end("JobId=13 JobState=CANCELLED Reason=None ExitCode=0:0").hasFailed())
        .as("cancelled before it began")
        .isTrue();
    assertThat(end("JobId=13 JobState=NODE_FAIL Reason=NodeDown ExitCode=1:0").text())
        .isEqualTo("NODE_FAIL (NodeDown): a machine of the job failed");
    assertThat(end("CANCELLED by 1000|0:15\n").text())
        .isEqualTo("CANCELLED by 1000: the job was cancelled");
  }

  @Test
  void saysNothingOfAJobThatHasNotEnded() {
    assertThat(slurm.ended("7", said("JobId=7 JobState=RUNNING Reason=None ExitCode=0:0")))
        .isEmpty();
    assertThat(slurm.ended("7", failed(1, "Slurm accounting storage is disabled"))).isEmpty();
    assertThat(slurm.ended("7", said(""))).isEmpty();
  }
}
