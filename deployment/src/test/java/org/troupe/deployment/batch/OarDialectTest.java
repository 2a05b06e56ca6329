package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.deployment.batch.Answers.failed;
import static org.troupe.deployment.batch.Answers.said;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.process.CommandRunner.Answer;

/** Recorded answers of OAR 2.5.9, without attributes that are not read. */
class OarDialectTest {

  private static final String JOBS =
      """
      Job_Id: 1
          job_array_id = 1
          name = troupe-bundle
          state = Terminated
          wanted_resources = -l "{type = 'default'}/network_address=2/core=2,walltime=0:10:0"\s
          types =\s
          assigned_hostnames = eta-1+eta-2
          exit_code = 768 (3,0,0)
          walltime = 0:10:0
          message = R=4,W=0:10:0,J=B,N=troupe-bundle (Karma=0.000,quota_ok)
          scheduledStart = no prediction
          events =\s
      2026-11-27 20:13:29> SWITCH_INTO_TERMINATE_STATE:[bipbip 1] Ask to change the job state

      Job_Id: 2
          state = Running
          assigned_hostnames = eta-1+eta-2
          message = R=8,W=2:0:0,J=B,N=troupe-bundle (Karma=0.000,quota_ok)
          scheduledStart = 2026-11-27 20:13:31
          events =\s

      Job_Id: 3
          state = Waiting
          assigned_hostnames =\s
          message = R=8,W=2:0:0,J=B,N=troupe-bundle (Karma=0.000,quota_ok)
          scheduledStart = 2026-11-27 22:13:33
          events =\s

      Job_Id: 6
          state = Hold
          assigned_hostnames =\s
          message = R=1,W=0:0:3,J=B
          scheduledStart = no prediction
          events =\s

      """;

  private final OarDialect oar = new OarDialect();

  @Test
  void submitsALineOfTheShell() {
    var job =
        new JobTemplate(
            "troupe-bundle",
            "/home/me/it's",
            List.of("-l", "/nodes=2/core=2"),
            List.of("/home/me/it's/job"),
            Optional.empty());

    assertThat(oar.submit(job))
        .containsExactly(
            "oarsub",
            "-n",
            "troupe-bundle",
            "-d",
            "/home/me/it's",
            "-O",
            "/home/me/it's/job.out",
            "-E",
            "/home/me/it's/job.err",
            "-l",
            "/nodes=2/core=2",
            "/bin/sh '/home/me/it'\\''s/job'");
  }

  @Test
  void findsTheIdBehindTheAdmissionRules() {
    assertThat(
            oar.submitted(
                said(
                    "[ADMISSION RULE] Set default walltime to 7200.\n"
                        + "[ADMISSION RULE] Modify resource description with type constraints\n"
                        + "OAR_JOB_ID=2\n")))
        .contains("2");
    assertThat(
            oar.submitted(
                new Answer(
                    8, "OAR_JOB_ID=-5\nThere are not enough resources for your request", "")))
        .isEmpty();
  }

  @Test
  void readsStatesAndWhenJobsAreScheduled() {
    assertThat(oar.states(said(JOBS), List.of()).orElseThrow())
        .isEqualTo(
            Map.of(
                "1", new JobReport(JobState.FAILED, "Terminated"),
                "2", new JobReport(JobState.RUNNING, "Running on eta-1,eta-2"),
                "3",
                    new JobReport(
                        JobState.QUEUED,
                        "Waiting (R=8,W=2:0:0,J=B,N=troupe-bundle (Karma=0.000,quota_ok),"
                            + " scheduled for 2026-11-27 22:13:33)"),
                "6", new JobReport(JobState.HELD_BY_USER, "Hold")));
  }

  @Test
  void knowsAForgottenJobFromALostDatabase() {
    assertThat(oar.states(said(""), List.of("99"))).contains(Map.of());

    var away = failed(2, "Could not connect to the socket eta-fe:6666\n");
    assertThat(oar.states(away, List.of("99"))).isEmpty();
    assertThat(oar.isAway(away)).isTrue();
    assertThat(
            oar.isAway(failed(9, "[ERROR] Cannot connect to executor eta-fe:6666. Job is killed.")))
        .isTrue();
  }

  @Test
  void knowsAJobOfWhichTheServerWasNotTold() {
    var stored =
        new Answer(
            9, "OAR_JOB_ID=12\n", "[ERROR] Cannot connect to executor eta-fe:6666. Job is killed.");
    assertThat(oar.isAway(stored)).isFalse();
    assertThat(oar.submitted(stored)).contains("12");
  }

  @Test
  void readsHowAJobEnded() {
    assertThat(oar.ended("1", said(JOBS)))
        .contains(JobEnd.exited("1", 3, "Terminated, exit code 3"));
    assertThat(oar.ended("2", said(JOBS))).isEmpty();
    assertThat(
            oar.ended("4", said("Job_Id: 4\n    state = Terminated\n    exit_code = 9 (0,9,0)\n")))
        .contains(JobEnd.signalled("4", "9", "Terminated"));
  }

  @Test
  void tellsWhyItEndedAJob() {
    var deleted =
        """
        Job_Id: 3
            state = Error
            message = Job killed by Leon directly
            events =\s
        2026-11-27 20:14:30> FRAG_JOB_REQUEST:User griduser requested to frag the job 3

        """;
    var late =
        """
        Job_Id: 5
            state = Error
            walltime = 0:0:3
            events =\s
        2026-11-27 20:14:58> FRAG_JOB_REQUEST:User root requested to frag the job 5
        2026-11-27 20:14:58> WALLTIME:[sarko] Job [5] from 1795810485 with 3; current time=1795810498 (Elapsed)
        2026-11-27 20:14:58> SEND_KILL_JOB:[Leon] Send the kill signal to oarexec on eta-1 for job 5

        """;

    var again =
        """
        Job_Id: 7
            state = Error
            events =\s
        2026-11-27 20:14:58> CPUSET_ERROR:[bipbip 7] OAR suspects nodes for the job 7
        2026-11-27 20:14:58> RESUBMIT_JOB_AUTOMATICALLY:[NodeChangeState] Resubmiting job 7 => 8) (due to event CPUSET_ERROR & job is neither a reservation nor an interactive job)

        """;

    assertThat(oar.ended("7", said(again)).orElseThrow().toString())
        .contains("as job 8", "'oardel 8'");
    assertThat(oar.ended("3", said(deleted)))
        .contains(JobEnd.aborted("3", "Error: the job was deleted by griduser"));
    assertThat(oar.ended("5", said(late)))
        .contains(JobEnd.aborted("5", "Error: it reached its time limit of 0:0:3"));
  }
}
