package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.deployment.batch.Answers.failed;
import static org.troupe.deployment.batch.Answers.said;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Recorded answers of Grid Engine 8.1.9. */
class GridEngineDialectTest {

  private static String job(int number, String state, String queue) {
    return """
           <job_list state="x">
             <JB_job_number>%d</JB_job_number>
             <JAT_prio>0.75000</JAT_prio>
             <JB_name>j4</JB_name>
             <JB_owner>griduser</JB_owner>
             <state>%s</state>
             <queue_name>%s</queue_name>
             <slots>8</slots>
           </job_list>
           """
        .formatted(number, state, queue);
  }

  private static String qstat(String... jobs) {
    return "<?xml version='1.0'?>\n<job_info  xmlns:xsd=\"http://x/qstat.xsd\">\n<queue_info>\n"
        + String.join("", jobs)
        + "</queue_info>\n</job_info>\n";
  }

  private final GridEngineDialect gridEngine = new GridEngineDialect();

  @Test
  void findsTheId() {
    assertThat(gridEngine.submitted(said("10\n"))).contains("10");
    assertThat(
            gridEngine.submitted(
                failed(
                    1,
                    "Unable to run job: Job was rejected because job requests unknown queue"
                        + " \"nope\"\nExiting.\n")))
        .isEmpty();
  }

  @Test
  void readsStates() {
    var answer =
        said(
            qstat(
                job(10, "r", "all.q@gamma-1"),
                job(11, "qw", ""),
                job(13, "hqw", ""),
                job(14, "Eqw", ""),
                job(15, "dr", "all.q@gamma-2"),
                job(99, "r", "all.q@gamma-1")));

    assertThat(gridEngine.states(answer, List.of("10", "11", "13", "14", "15", "16")).orElseThrow())
        .isEqualTo(
            Map.of(
                "10", new JobReport(JobState.RUNNING, "running r on all.q@gamma-1"),
                "11", new JobReport(JobState.QUEUED, "queued qw"),
                "13", new JobReport(JobState.HELD_BY_USER, "held hqw"),
                "14", new JobReport(JobState.HELD_BY_SYSTEM, "in error Eqw"),
                "15", new JobReport(JobState.RUNNING, "running dr on all.q@gamma-2")));
  }

  @Test
  void asksWhyJobsWait() {
    var states =
        gridEngine
            .states(
                said(qstat(job(10, "r", "q"), job(11, "qw", ""), job(14, "Eqw", ""))),
                List.of("10", "11", "14"))
            .orElseThrow();

    assertThat(gridEngine.askReasons(states)).contains(List.of("qstat", "-j", "11,14"));
    assertThat(gridEngine.askReasons(Map.of())).isEmpty();
  }

  @Test
  void readsWhyJobsWait() {
    var reasons =
        gridEngine.reasons(
            said(
                """
                ==============================================================
                job_number:                 11
                exec_file:                  job_scripts/11
                sge_o_host:                 gamma-fe
                account:                    sge
                hard resource_list:         h_rt=60
                parallel environment:  fill range: 8
                binding:                    NONE
                job_type:                   NONE
                scheduling info:            queue instance "all.q@gamma-1" dropped because it is full
                                            queue instance "all.q@gamma-2" dropped because it is full
                                            All queues dropped because of overload or full
                ==============================================================
                job_number:                 14
                cwd:                        /nonexistent
                job_type:                   NONE
                error reason          1:      11/21/2026 23:23:42 [5000:292]: error: can't chdir to /nonexistent: No such file or directory
                scheduling info:            queue instance "all.q@gamma-1" dropped because it is full
                                            Job is in error state
                """));

    assertThat(reasons)
        .isEqualTo(
            Map.of(
                "11", "All queues dropped because of overload or full",
                "14", "error: can't chdir to /nonexistent: No such file or directory"));
  }

  private static String account(String failed, String exitStatus) {
    return """
        ==============================================================
        qname        all.q
        hostname     gamma-2
        jobnumber    15
        start_time   Sat Nov 21 23:23:41 2026
        failed       %s
        exit_status  %s
        ru_wallclock 3s
        """
        .formatted(failed, exitStatus);
  }

  @Test
  void readsHowAJobEnded() {
    var exited =
        gridEngine.ended("15", said(account("0    ", "3                   "))).orElseThrow();
    assertThat(exited.exitCode()).hasValue(3);
    assertThat(exited.text()).isEqualTo("finished, exit status 3");

    var timeOut =
        gridEngine
            .ended(
                "15",
                said(
                    account(
                        "37  : qmaster enforced h_rt, h_cpu, or h_vmem limit",
                        "137                  (Killed)")))
            .orElseThrow();
    assertThat(timeOut.signal()).contains("9");
    assertThat(timeOut.text())
        .isEqualTo("failed 37 : qmaster enforced h_rt, h_cpu, or h_vmem limit, exit status 137");
  }

  @Test
  void knowsAForgottenJobFromALostMaster() {
    assertThat(gridEngine.states(said(qstat()), List.of("9"))).contains(Map.of());
    assertThat(gridEngine.ended("9", failed(1, "error: job id 9 not found\n"))).isEmpty();

    var away =
        failed(
            1,
            "error: commlib error: got select error (Connection refused)\nerror: unable to send"
                + " message to qmaster using port 9 on host \"gamma-fe\": got send error\n");
    assertThat(gridEngine.states(away, List.of("9"))).isEmpty();
    assertThat(gridEngine.isAway(away)).isTrue();
  }
}
