package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.deployment.batch.Answers.failed;
import static org.troupe.deployment.batch.Answers.said;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.process.CommandRunner.Answer;

/** Recorded answers of Flux 0.88. */
class FluxDialectTest {

  private static final String JOBS =
      """
      ƒgBk21d|INACTIVE|FAILED|3|16|vm,vm||||
      ƒ2JzcBpB|CLEANUP|||16|vm,vm||||
      ƒ2Vz6rzT|SCHED|||0|||||
      ƒ2rHF2kF|DEPEND|||16||after-success=ƒ2Vz6rzT|||
      ƒ3AiA6vs|RUN|||16|vm,vm||||
      ƒ3LdPJGf|SCHED|||16|||||
      """;

  private static final String ENDED =
      """
      ƒgBk21d|INACTIVE|FAILED|3|16|vm,vm||||
      ƒ2JzcBpB|INACTIVE|TIMEOUT|142|16|vm,vm|||timeout|resource allocation expired
      ƒ3AiA6vs|INACTIVE|CANCELED|143|16|vm,vm|||cancel|
      ƒ3LdPJGf|INACTIVE|CANCELED|-128|16||||cancel|
      """;

  private final FluxDialect flux = new FluxDialect();

  @Test
  void submitsAScript() {
    var job =
        new JobTemplate(
            "troupe-bundle",
            "/home/me/run",
            List.of("--nodes=2", "--nslots=2"),
            List.of("/home/me/run/job"),
            Optional.empty());

    assertThat(flux.submit(job))
        .containsExactly(
            "flux",
            "batch",
            "--job-name=troupe-bundle",
            "--cwd=/home/me/run",
            "--output=/home/me/run/job.out",
            "--error=/home/me/run/job.err",
            "--nodes=2",
            "--nslots=2",
            "/home/me/run/job");
  }

  @Test
  void keepsIdsInLettersThatEveryLocaleHas() {
    assertThat(flux.submitted(said("ƒgBk21d\n"))).contains("fgBk21d");
    assertThat(flux.submitted(said("fBTr72PZ\n"))).contains("fBTr72PZ");
    assertThat(flux.submitted(failed(1, "flux-batch: ERROR: 'nope' is not a valid queue\n")))
        .isEmpty();
  }

  @Test
  void asksForAllThatIsReadAtOnce() {
    assertThat(flux.ask(List.of("fgBk21d", "f2JzcBpB")))
        .startsWith("flux", "jobs", "-n")
        .endsWith("fgBk21d", "f2JzcBpB")
        .hasSize(6);
  }

  @Test
  void readsStatesAndWhyJobsWait() {
    assertThat(flux.states(said(JOBS), List.of()).orElseThrow())
        .isEqualTo(
            Map.of(
                "fgBk21d", new JobReport(JobState.FAILED, "FAILED"),
                "f2JzcBpB", new JobReport(JobState.RUNNING, "CLEANUP on vm,vm"),
                "f2Vz6rzT", new JobReport(JobState.HELD_BY_USER, "SCHED (held, its urgency is 0)"),
                "f2rHF2kF",
                    new JobReport(JobState.QUEUED, "DEPEND (dependencies: after-success=ƒ2Vz6rzT)"),
                "f3AiA6vs", new JobReport(JobState.RUNNING, "RUN on vm,vm"),
                "f3LdPJGf", new JobReport(JobState.QUEUED, "SCHED (waits for resources)")));
  }

  @Test
  void knowsAForgottenJobFromALostInstance() {
    assertThat(flux.states(failed(1, "JobID f1234 unknown\n"), List.of("f1234")))
        .contains(Map.of());
    assertThat(
            flux.states(new Answer(0, JOBS, "JobID f1234 unknown\n"), List.of("f1234"))
                .orElseThrow())
        .doesNotContainKey("f1234");

    var away =
        failed(
            1,
            "flux-jobs: ERROR: Unable to connect to Flux: broker socket /nowhere was not found\n");
    assertThat(flux.states(away, List.of("f1234"))).isEmpty();
    assertThat(flux.isAway(away)).isTrue();
  }

  @Test
  void readsHowAJobEnded() {
    assertThat(flux.ended("fgBk21d", said(ENDED)))
        .contains(JobEnd.exited("fgBk21d", 3, "FAILED, exit code 3"));
    assertThat(flux.ended("f2JzcBpB", said(ENDED)).orElseThrow())
        .isEqualTo(
            JobEnd.signalled(
                "f2JzcBpB", "14", "TIMEOUT: resource allocation expired, exit code 142"));
    assertThat(flux.ended("f3AiA6vs", said(ENDED)).orElseThrow().signal()).contains("15");
    assertThat(flux.ended("f3LdPJGf", said(ENDED)))
        .contains(JobEnd.aborted("f3LdPJGf", "CANCELED, before it ran"));
    assertThat(flux.ended("f3AiA6vs", said(JOBS))).isEmpty();
  }
}
