package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.deployment.batch.Answers.failed;
import static org.troupe.deployment.batch.Answers.said;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.process.CommandRunner.Answer;

/**
 * Recorded answers of Slurm's PBS commands, and answers of OpenPBS and Torque from their manuals.
 */
class PbsDialectTest {

  private static final String RUNNING_AND_QUEUED =
      """
      Job Id:	1
      	Job_Name = troupe1
      	Job_Owner = griduser@beta-fe
      	job_state = R
      	queue = batch
      	exec_host = beta-1/3+beta-2/1
      	Resource_List.walltime = 01:00:00

      Job Id:	2
      	Job_Name = big
      	job_state = Q
      	Resource_List.nodect = 5

      """;

  private final PbsDialect pbs = new PbsDialect();

  @Test
  void submitsAScriptUnderAShortName() {
    var job =
        new JobTemplate(
            "troupe-alphabetically",
            "/home/me/run",
            List.of("-l", "nodes=2:ppn=1"),
            List.of("/home/me/run/job"),
            Optional.empty());

    assertThat(pbs.submit(job))
        .containsExactly(
            "qsub",
            "-N",
            "troupe-alphabet",
            "-o",
            "/home/me/run/job.out",
            "-e",
            "/home/me/run/job.err",
            "-l",
            "nodes=2:ppn=1",
            "/home/me/run/job");
  }

  @Test
  void findsTheIdWithAndWithoutAServer() {
    assertThat(pbs.submitted(said("12\n"))).contains("12");
    assertThat(pbs.submitted(said("welcome\n12.server.site\n"))).contains("12.server.site");
    assertThat(
            pbs.submitted(
                new Answer(
                    1,
                    """
                    There was an error running the Slurm sbatch command.
                    and the output was:
                    'sbatch: error: Batch job submission failed: Invalid partition name specified
                    '
                    """,
                    "")))
        .isEmpty();
  }

  @Test
  void readsStates() {
    var states = pbs.states(said(RUNNING_AND_QUEUED), List.of("1", "2", "3")).orElseThrow();

    assertThat(states)
        .isEqualTo(
            Map.of(
                "1", new JobReport(JobState.RUNNING, "running on beta-1/3+beta-2/1"),
                "2", new JobReport(JobState.QUEUED, "queued")));
  }

  @Test
  void passesOnTheCommentOfOpenPbsAndItsLongLines() {
    var text =
        """
        Job Id: 2.server
            Job_Name = big
            job_state = Q
            comment = Not Running: Insufficient amount of resource: ncpus (R: 8 A: 4
        \tT: 4)
            Hold_Types = n
        """;

    assertThat(pbs.states(said(text), List.of("2.server.site")).orElseThrow())
        .isEqualTo(
            Map.of(
                "2.server.site",
                new JobReport(
                    JobState.QUEUED,
                    "queued (Not Running: Insufficient amount of resource: ncpus (R: 8 A: 4T: 4))")));
  }

  @Test
  void knowsAForgottenJobFromALostServer() {
    assertThat(pbs.states(failed(153, ""), List.of("9"))).contains(Map.of());
    assertThat(pbs.states(new Answer(153, RUNNING_AND_QUEUED, ""), List.of("1", "9")).orElseThrow())
        .containsOnlyKeys("1");

    var away = failed(8, "Problem loading jobs.\n");
    assertThat(pbs.states(away, List.of("9"))).isEmpty();
    assertThat(pbs.isAway(away)).isTrue();
  }

  @Test
  void readsHowAJobEnded() {
    var silent = pbs.ended("4", said("Job Id:\t4\n\tJob_Name = j3\n\tjob_state = C\n"));
    assertThat(silent.orElseThrow().text()).isEqualTo("finished; this PBS gives no exit status");

    var torque = pbs.ended("4", said("Job Id: 4.s\n    job_state = C\n    exit_status = 271\n"));
    assertThat(torque.orElseThrow().signal()).contains("15");

    var openPbs =
        pbs.ended(
            "4.s",
            said(
                "Job Id: 4.s\n    job_state = F\n    Exit_status = -29\n"
                    + "    comment = Job run at Mon and failed: walltime\n"));
    assertThat(openPbs.orElseThrow().text())
        .contains("walltime")
        .contains("PBS ended it, status -29");

    assertThat(pbs.ended("1", said(RUNNING_AND_QUEUED))).isEmpty();
  }
}
