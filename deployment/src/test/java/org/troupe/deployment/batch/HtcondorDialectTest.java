package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.deployment.batch.Answers.failed;
import static org.troupe.deployment.batch.Answers.said;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Recorded answers of HTCondor 25.14, without white space. */
class HtcondorDialectTest {

  private static final String QUEUE =
      """
      [
      {"ClusterId": 2, "JobStatus": 2, "LastRejMatchReason": "no match found", "ProcId": 0,
       "RemoteHost": "slot1_1@zeta-fe"}
      ,
      {"ClusterId": 4, "JobStatus": 1, "LastRejMatchReason": "no match found", "ProcId": 0}
      ,
      {"ClusterId": 4, "JobStatus": 1, "ProcId": 1}
      ,
      {"ClusterId": 5, "JobStatus": 2, "ProcId": 0, "RemoteHost": "slot1_2@zeta-fe"}
      ,
      {"ClusterId": 5, "JobStatus": 1, "LastRejMatchReason": "no match found", "ProcId": 1}
      ,
      {"ClusterId": 6, "HoldReason": "Error from slot1_4@zeta-fe: Failed to open '/nope/x' as standard output: No such file or directory (errno 2)",
       "HoldReasonCode": 7, "JobStatus": 5, "ProcId": 0}
      ,
      {"ClusterId": 9, "HoldReason": "submitted on hold at user's request", "HoldReasonCode": 15,
       "JobStatus": 5, "ProcId": 0}
      ,
      {"ClusterId": 10, "HoldReason": "via condor_hold (by user griduser)", "HoldReasonCode": 1,
       "JobStatus": 5, "ProcId": 0}
      ,
      {"ClusterId": 11, "HoldReason": "via condor_hold (by user griduser)", "HoldReasonCode": 1,
       "JobStatus": 5, "ProcId": 0}
      ,
      {"ClusterId": 11, "JobStatus": 2, "ProcId": 1, "RemoteHost": "slot1_3@zeta-fe"}
      ]
      """;

  private static final String HISTORY =
      """
      [
      {"ClusterId": 2, "ExitBySignal": true, "ExitSignal": 9, "JobStatus": 4, "ProcId": 1,
       "TotalSubmitProcs": 2}
      ,
      {"ClusterId": 1, "ExitBySignal": true, "ExitSignal": 9, "JobStatus": 4, "ProcId": 1,
       "TotalSubmitProcs": 2}
      ,
      {"ClusterId": 1, "ExitBySignal": false, "ExitCode": 0, "JobStatus": 4, "ProcId": 0,
       "TotalSubmitProcs": 2}
      ,
      {"ClusterId": 3, "ExitBySignal": false, "ExitCode": 7, "JobStatus": 3, "ProcId": 0,
       "RemoveReason": "via condor_rm (by user griduser)", "TotalSubmitProcs": 1}
      ,
      {"ClusterId": 4, "ExitBySignal": false, "JobStatus": 3, "ProcId": 1,
       "RemoveReason": "via condor_rm (by user griduser)", "TotalSubmitProcs": 2}
      ,
      {"ClusterId": 4, "ExitBySignal": false, "JobStatus": 3, "ProcId": 0,
       "RemoveReason": "via condor_rm (by user griduser)", "TotalSubmitProcs": 2}
      ,
      {"ClusterId": 5, "ExitBySignal": false, "ExitCode": 0, "JobStatus": 4, "ProcId": 0,
       "TotalSubmitProcs": 2}
      ,
      {"ClusterId": 5, "ExitBySignal": false, "JobStatus": 3, "ProcId": 1,
       "RemoveReason": "via condor_rm (by user griduser)", "TotalSubmitProcs": 2}
      ,
      {"ClusterId": 6, "ExitBySignal": false, "JobStatus": 3, "LastHoldReason": "too large", "ProcId": 0,
       "RemoveReason": "The job attribute PeriodicRemove expression 'JobStatus == 5 && NumJobStarts > 0' evaluated to TRUE",
       "TotalSubmitProcs": 1}
      ,
      {"ClusterId": 7, "ExitBySignal": false, "ExitCode": 0, "JobStatus": 3, "ProcId": 0,
       "RemoveReason": "via condor_rm (by user griduser)", "TotalSubmitProcs": 1}
      ]
      """;

  private final HtcondorDialect condor = new HtcondorDialect();

  @Test
  void submitsAJobForEachMachine() {
    var job =
        new JobTemplate(
            "troupe-bundle",
            "/home/it's me/run",
            List.of("troupe_machines=2", "request_cpus=4"),
            List.of("/home/it's me/run/job"),
            Optional.empty());

    assertThat(condor.submit(job))
        .containsExactly(
            "condor_submit",
            "-terse",
            "/dev/null",
            "executable=/bin/sh",
            "transfer_executable=false",
            "should_transfer_files=NO",
            "notification=never",
            "batch_name=troupe-bundle",
            "initialdir=/home/it's me/run",
            "output=/dev/null",
            "error=/dev/null",
            "arguments=\"'-c' 'exec >>\"\"$1\"\" 2>>\"\"$2\"\"; shift 2; exec /bin/sh"
                + " \"\"$@\"\"' 'sh' '/home/it''s me/run/job.out' '/home/it''s me/run/job.err'"
                + " '/home/it''s me/run/job' $(ClusterId) $(ProcId)\"",
            "troupe_machines=2",
            "request_cpus=4",
            "-queue",
            "$(troupe_machines)");
  }

  @Test
  void itsIdIsThatOfTheCluster() {
    assertThat(condor.submitted(said("9.0 - 9.1\n"))).contains("9");
    assertThat(condor.submitted(failed(1, "\nERROR: No such directory: /nope\n"))).isEmpty();
  }

  @Test
  void readsStatesAndWhyJobsWait() {
    assertThat(condor.states(said(QUEUE), List.of()).orElseThrow())
        .isEqualTo(
            Map.of(
                "2", new JobReport(JobState.RUNNING, "running on slot1_1@zeta-fe"),
                "4", new JobReport(JobState.QUEUED, "idle (no match found)"),
                "5",
                    new JobReport(
                        JobState.RUNNING, "running on slot1_2@zeta-fe, 1 idle (no match found)"),
                "6",
                    new JobReport(
                        JobState.HELD_BY_SYSTEM,
                        "held (Error from slot1_4@zeta-fe: Failed to open '/nope/x' as standard"
                            + " output: No such file or directory (errno 2))"),
                "9",
                    new JobReport(
                        JobState.HELD_BY_USER, "held (submitted on hold at user's request)"),
                "10",
                    new JobReport(
                        JobState.HELD_BY_USER, "held (via condor_hold (by user griduser))"),
                "11",
                    new JobReport(
                        JobState.RUNNING,
                        "running on slot1_3@zeta-fe, 1 held (via condor_hold (by user"
                            + " griduser))")));
  }

  @Test
  void knowsAForgottenJobFromALostServer() {
    assertThat(condor.states(said(""), List.of("99"))).contains(Map.of());
    assertThat(condor.states(said("[motd] welcome\n[\n]\n"), List.of("99"))).contains(Map.of());
    assertThat(condor.ended("99", said("[\n]\n"))).isEmpty();

    var away = failed(1, "Error: Can't find address for schedd zeta-fe\n");
    assertThat(condor.states(away, List.of("99"))).isEmpty();
    assertThat(condor.isAway(away)).isTrue();
  }

  @Test
  void readsHowTheJobsOfAClusterEnded() {
    assertThat(condor.ended("1", said(HISTORY))).contains(JobEnd.signalled("1", "9", "completed"));
    assertThat(condor.ended("2", said(HISTORY))).as("one of two").isEmpty();
    assertThat(condor.ended("3", said(HISTORY)))
        .contains(JobEnd.exited("3", 7, "removed via condor_rm (by user griduser), exit code 7"));
    assertThat(condor.ended("4", said(HISTORY)))
        .contains(JobEnd.aborted("4", "removed via condor_rm (by user griduser)"));
    assertThat(condor.ended("5", said(HISTORY)))
        .as("one completed and one removed")
        .contains(JobEnd.aborted("5", "removed via condor_rm (by user griduser)"));
    assertThat(condor.ended("7", said(HISTORY)).orElseThrow().hasFailed())
        .as("removed, and its JVMs left in order")
        .isTrue();
    assertThat(condor.ended("6", said(HISTORY)).orElseThrow().text())
        .startsWith("removed as it was evicted or held, or reached its time limit: The job ")
        .endsWith(" evaluated to TRUE, after it was held (too large)");
  }
}
