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
 * Recorded answers of Slurm's PBS commands and of OpenPBS 23.06.06, without attributes that are not
 * read, and answers of Torque from its manual.
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

  private static final String OPEN_PBS =
      """
      Job Id: 4.iota-fe
          Job_Name = j.sh
          job_state = Q
          Hold_Types = n
          Variable_List = PBS_O_HOME=/home/griduser,PBS_O_LOGNAME=griduser,
      \tPBS_O_PATH=/usr/local/bin:/usr/bin:/bin:/usr/games,
      \tPBS_O_MAIL=/var/mail/griduser,PBS_O_SHELL=/bin/bash
          comment = Can Never Run: Insufficient amount of resource: ncpus (R: 99 A: 8
      \t T: 8)

      Job Id: 7.iota-fe
          job_state = H
          Hold_Types = u

      Job Id: 8[].iota-fe
          job_state = B
          Hold_Types = n
          comment = Job Array Began at Fri Nov 27 at 23:15
          array = True

      Job Id: 9.iota-fe
          job_state = W
          Execution_Time = Sat Nov 28 23:15:00 2026
          Hold_Types = n

      Job Id: 10.iota-fe
          job_state = H
          depend = afterok:5.iota-fe@iota-fe
          Hold_Types = s

      Job Id: 13.iota-fe
          job_state = R
          exec_host = iota-1/0+iota-2/0
          Hold_Types = n
          comment = Job run at Fri Nov 27 at 23:15 on (iota-1:ncpus=1)+(iota-2:ncpus=
      \t1)

      """;

  private static final String ENDED =
      """
      Job Id: 0.iota-fe
          job_state = F
          exec_host = iota-1/0*2+iota-2/0*2
          stime = Fri Nov 27 23:14:29 2026
          comment = Job run at Fri Nov 27 at 23:14 on (iota-1:ncpus=2:mem=51200kb)+(i
      \tota-2:ncpus=2:mem=51200kb) and failed
          Exit_status = 3

      Job Id: 5.iota-fe
          job_state = F
          exec_host = iota-1/0
          stime = Fri Nov 27 23:15:23 2026
          comment = Job run at Fri Nov 27 at 23:15 on (iota-1:ncpus=1) and terminated
          Exit_status = 271

      Job Id: 6.iota-fe
          job_state = F
          exec_host = iota-1/1
          stime = Fri Nov 27 23:15:23 2026
          comment = Job run at Fri Nov 27 at 23:15 on (iota-1:ncpus=1) and exceeded r
      \tesource walltime
          Exit_status = -29

      Job Id: 11.iota-fe
          job_state = F
          comment = Not Running: Not enough free nodes available and terminated

      Job Id: 12.iota-fe
          job_state = F
          exec_host = iota-2/1
          stime = Fri Nov 27 23:15:25 2026
          comment = Job run at Fri Nov 27 at 23:15 on (iota-2:ncpus=1) and failed
          Exit_status = 137

      Job Id: 3.iota-fe
          job_state = F
          substate = 91

      Job Id: 13.iota-fe
          job_state = F
          stime = Sat Nov 28 02:10:22 2026
          substate = 91
          comment = Job run at Sat Nov 28 at 02:10 on (iota-1:ncpus=1) and terminated
      \t by griduser@iota-fe
          Exit_status = 271

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
    assertThat(pbs.submitted(said("8[].iota-fe\n"))).contains("8[].iota-fe");
    assertThat(pbs.submitted(failed(170, "qsub: Unknown queue\n"))).isEmpty();
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
  void passesOnWhyJobsOfOpenPbsWaitWhereItIsSaid() {
    assertThat(
            pbs.states(said(OPEN_PBS), List.of("4.iota-fe.site", "7", "8[]", "9", "10", "13"))
                .orElseThrow())
        .isEqualTo(
            Map.of(
                "4.iota-fe.site",
                new JobReport(
                    JobState.QUEUED,
                    "queued (Can Never Run: Insufficient amount of resource: ncpus (R: 99 A: 8 T: 8))"),
                "7",
                new JobReport(JobState.HELD_BY_USER, "held"),
                "8[]",
                new JobReport(JobState.RUNNING, "running (Job Array Began at Fri Nov 27 at 23:15)"),
                "9",
                new JobReport(JobState.QUEUED, "queued (not before Sat Nov 28 23:15:00 2026)"),
                "10",
                new JobReport(JobState.HELD_BY_SYSTEM, "held (depend: afterok:5.iota-fe@iota-fe)"),
                "13",
                new JobReport(
                    JobState.RUNNING,
                    "running on iota-1/0+iota-2/0 (Job run at Fri Nov 27 at 23:15 on"
                        + " (iota-1:ncpus=1)+(iota-2:ncpus=1))")));
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

    assertThat(pbs.ended("1", said(RUNNING_AND_QUEUED))).isEmpty();
  }

  @Test
  void readsHowAJobOfOpenPbsEnded() {
    var failure = pbs.ended("0.iota-fe", said(ENDED)).orElseThrow();
    assertThat(failure.exitCode()).hasValue(3);
    assertThat(pbs.ended("5.iota-fe", said(ENDED)).orElseThrow().signal()).contains("15");
    assertThat(pbs.ended("12.iota-fe", said(ENDED)).orElseThrow().signal()).contains("9");
    assertThat(pbs.ended("6.iota-fe", said(ENDED)))
        .contains(
            JobEnd.aborted(
                "6.iota-fe",
                "finished (Job run at Fri Nov 27 at 23:15 on (iota-1:ncpus=1) and exceeded resource"
                    + " walltime); PBS ended it, status -29"));
    assertThat(pbs.ended("11.iota-fe", said(ENDED)))
        .contains(
            JobEnd.aborted(
                "11.iota-fe",
                "deleted (Not Running: Not enough free nodes available and terminated), before it"
                    + " ran"));
    assertThat(pbs.ended("3.iota-fe", said(ENDED)))
        .contains(JobEnd.aborted("3.iota-fe", "deleted, before it ran"));
    assertThat(pbs.ended("13.iota-fe", said(ENDED)))
        .contains(
            JobEnd.signalled(
                "13.iota-fe",
                "15",
                "deleted by griduser@iota-fe (Job run at Sat Nov 28 at 02:10 on (iota-1:ncpus=1) and"
                    + " terminated by griduser@iota-fe), exit status 271"));
    assertThat(pbs.states(said(ENDED), List.of("11")).orElseThrow().get("11").state())
        .isEqualTo(JobState.FAILED);
  }

  @Test
  void knowsAFinishedJobFromALostServerOfOpenPbs() {
    var finished =
        failed(
            35,
            "qstat: 0.iota-fe Job has finished, use -x or -H to obtain historical job information\n");
    assertThat(pbs.states(finished, List.of("0.iota-fe"))).contains(Map.of());
    assertThat(pbs.isAway(finished)).isFalse();

    var away =
        failed(255, "Connection refused\nqstat: cannot connect to server iota-fe (errno=15010)\n");
    assertThat(pbs.states(away, List.of("0.iota-fe"))).isEmpty();
    assertThat(pbs.isAway(away)).isTrue();
  }

  @Test
  void endsAJobSomeTimeAfterItsFirstSignal() {
    assertThat(new PbsDialect().killDelay()).isPositive();
    assertThat(new SlurmDialect().killDelay()).isZero();
  }
}
