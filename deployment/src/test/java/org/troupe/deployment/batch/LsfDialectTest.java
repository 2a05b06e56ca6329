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
 * Answers recorded from Volclava 2.2, without some paragraphs, and answers in the form that the
 * manuals of IBM's LSF describe, which could not be tried.
 */
class LsfDialectTest {

  private static final String JOBS =
      """

      Job <1>, Job Name <troupe-x>, User <griduser>, Project <default>, Status <RUN>, Queue <normal>, Command </bin/sh '/home/griduser/r/job' >>'/home/griduser/r/o' 2>>'/home/griduser/r/e'>
      Sat Nov 28 06:53:59: Submitted from host <kappa-fe>, CWD <$HOME>, Output File </dev/null>, 4 Processors Requested, Requested Resources <span[ptile=2]>;

       RUNLIMIT               \s
       90.0 min               \s
      Sat Nov 28 06:53:59: Started on 4 Hosts/Processors <kappa-2> <kappa-2> <kappa-1> <kappa-1>, Execution Home </home/griduser>, Execution CWD </home/griduser>;
      Sat Nov 28 07:05:45: Resource usage collected.
                           MEM: 6 Mbytes;  SWAP: 11 Mbytes
                           PGID: 122;  PIDs: 122 126 127\s

       MEMORY USAGE:
       MAX MEM: 6 Mbytes;  AVG MEM: 6 Mbytes

       RESOURCE REQUIREMENT DETAILS:
       Combined: select[type == local] order[r15s:pg] span[ptile=2]
       Effective: select[type == local] order[r15s:pg] span[ptile=2]
      ------------------------------------------------------------------------------

      Job <4>, Job Name <troupe-h>, User <griduser>, Project <default>, Status <PSUSP>, Queue <normal>, Command </bin/sh '/home/griduser/r/slp'>
      Sat Nov 28 06:53:59: Submitted from host <kappa-fe> with hold, CWD <$HOME>, Output File </dev/null>;
       PENDING REASONS:
       The job was suspended by the user while pending: 1 host;

       SCHEDULING PARAMETERS:
                 r15s   r1m  r15m   ut      pg    io   ls    it    tmp    swp    mem
       loadSched   -     -     -     -       -     -    -     -     -      -      - \s
      ------------------------------------------------------------------------------

      Job <6>, Job Name <stopped>, User <griduser>, Project <default>, Status <USUSP>, Queue <normal>, Command <sleep 300>
      Sat Nov 28 07:05:34: Submitted from host <kappa-fe>, CWD <$HOME>, Output File </dev/null>;
      Sat Nov 28 07:05:34: Started on <kappa-2>, Execution Home </home/griduser>, Execution CWD </home/griduser>;
       SUSPENDING REASONS:
       The job was suspended by user;

      ------------------------------------------------------------------------------

      Job <14>, Job Name <sp2>, User <griduser>, Project <default>, Status <PEND>, Queue <normal>, Command <true>
      Sat Nov 28 06:54:20: Submitted from host <kappa-fe>, CWD <$HOME>, Output File </dev/null>, 10 Processors Requested, Requested Resources <span[ptile=5]>;
       PENDING REASONS:
       Job slot limit reached: 1 host;
       Not enough processors to meet the job's spanning requirement: 2 hosts;

       SCHEDULING PARAMETERS:
      ------------------------------------------------------------------------------

      Job <9>, Job Name <dash>, User <griduser>, Project <default>, Status <DONE>, Queue <normal>, Command <kill -9 $$>
      Sat Nov 28 06:54:20: Submitted from host <kappa-fe>, CWD <$HOME>, Output File </dev/null>;
      Sat Nov 28 06:54:20: Started on <kappa-2>, Execution Home </home/griduser>, Execution CWD </home/griduser>;
      Sat Nov 28 06:54:51: Done successfully. The CPU time used is 0.0 seconds.
      ------------------------------------------------------------------------------

      Job <12>, Job Name <f>, User <griduser>, Project <default>, Status <EXIT>, Queue <normal>, Command <exit 7>
      Sat Nov 28 06:54:20: Submitted from host <kappa-fe>, CWD <$HOME>, Output File </dev/null>;
      Sat Nov 28 06:54:20: Started on <kappa-1>, Execution Home </home/griduser>, Execution CWD </home/griduser>;
      Sat Nov 28 06:54:52: Exited with exit code 7. The CPU time used is 0.1 seconds.

      """;

  private static final String HISTORY =
      """

      Job <2>, Job Name <s>, User <griduser>, Project <default>, Command </bin/sh '/home/griduser/r/slp'>
      Sat Nov 28 06:59:14: Submitted from host <kappa-fe>, to Queue <normal>, CWD <$HOME>, Output File </dev/null>, 2 Processors Requested, Requested Resources <span[ptile=2]>;
      Sat Nov 28 06:59:14: Dispatched to 2 Hosts/Processors <kappa-2> <kappa-2>;
      Sat Nov 28 06:59:14: Starting (Pid 147);
      Sat Nov 28 06:59:18: Signal <KILL> requested by user or administrator <griduser
                           >;
      Sat Nov 28 06:59:29: Running with execution home </home/griduser>, Execution CW
                           D </home/griduser>, Execution Pid <147>;
      Sat Nov 28 06:59:29: Exited by signal 2. The CPU time used is 0.0 seconds;

      Summary of time in seconds spent in various states by  Sat Nov 28 06:59:29
        PEND     PSUSP    RUN      USUSP    SSUSP    UNKWN    TOTAL
        0        0        15       0        0        0        15         \s
      ------------------------------------------------------------------------------

      Job <4>, Job Name <troupe-h>, User <griduser>, Project <default>, Command </bin/sh '/home/griduser/r/slp'>
      Sat Nov 28 06:53:59: Submitted from host <kappa-fe> with hold, to Queue <normal>, CWD <$HOME>, Output File </dev/null>;
      Sat Nov 28 06:54:20: Exited;

      Summary of time in seconds spent in various states by  Sat Nov 28 06:54:20
      ------------------------------------------------------------------------------

      Job <6>, User <griduser>, Project <physics>, Command </bin/sh '/home/griduser/r/slp'>
      Sat Nov 28 06:53:59: Submitted from host <kappa-fe>, to Queue <normal>, CWD <$HOME>, Output File </dev/null>;

       RUNLIMIT               \s
       1.0 min                \s
      Sat Nov 28 06:53:59: Dispatched to <kappa-1>;
      Sat Nov 28 06:53:59: Starting (Pid 163);
      Sat Nov 28 06:55:04: Exited with exit code 140. The CPU time used is 0.0 second
                           s;
      ------------------------------------------------------------------------------

      Job <8>, Job Name <sig>, User <griduser>, Project <default>, Command </bin/sh -c 'kill -9 $$'>
      Sat Nov 28 06:54:20: Dispatched to <kappa-2>;
      Sat Nov 28 06:54:49: Exited with exit code 137. The CPU time used is 0.0 second
                           s;
      ------------------------------------------------------------------------------

      Job <18>, Job Name <troupe-bundle>, User <griduser>, Project <default>, Command </bin/sh '/home/griduser/r/job'>
      Sat Nov 28 07:19:54: Signal <KILL> requested by user or administrator <griduser
                           >;
      Sat Nov 28 07:19:55: Done successfully. The CPU time used is 0.0 seconds;
      ------------------------------------------------------------------------------

      Job <11>, Job Name <f>, User <griduser>, Project <default>, Command <exit 7>
      Sat Nov 28 06:54:20: Dispatched to <kappa-1>;
      Sat Nov 28 06:54:22: Starting (Pid 168);

      Summary of time in seconds spent in various states by  Sat Nov 28 06:54:39
      """;

  /** In the form of IBM's manuals. */
  private static final String IBM =
      """

      Job <106>, Job Name <troupe-bundle>, User <user1>, Project <default>, Status <RU
                           N>, Queue <normal>, Command </bin/sh job>, Share group c
                           harged </user1>
      Mon Oct 18 10:51:49: Submitted from host <hostA>, CWD <$HOME>, 4 Task(s);
      Mon Oct 18 10:51:50: Started 4 Task(s) on Host(s) <2*hostA> <2*hostB>, Allocated
                            4 Slot(s) on Host(s) <2*hostA> <2*hostB>, Execution Hom
                           e </home/user1>;
      ------------------------------------------------------------------------------

      Job <107>, User <user1>, Project <default>, Status <EXIT>, Queue <normal>, Comma
                           nd <sleep 100>
      Mon Oct 18 10:52:11: Exited with exit code 130. The CPU time used is 0.1 second
                           s.
      Mon Oct 18 10:52:11: Completed <exit>; TERM_RUNLIMIT: job killed after reaching
                            LSF run time limit.
      """;

  private final LsfDialect lsf = new LsfDialect();

  @Test
  void submitsTheScriptAsOneWord() {
    var job =
        new JobTemplate(
            "troupe-bundle",
            "/home/it's me/run",
            List.of("-n", "4", "-R", "span[ptile=2]"),
            List.of("/home/it's me/run/job"),
            Optional.empty());

    assertThat(lsf.submit(job))
        .containsExactly(
            "bsub",
            "-J",
            "troupe-bundle",
            "-o",
            "/dev/null",
            "-e",
            "/dev/null",
            "-n",
            "4",
            "-R",
            "span[ptile=2]",
            "/bin/sh '/home/it'\\''s me/run/job' >>'/home/it'\\''s me/run/job.out'"
                + " 2>>'/home/it'\\''s me/run/job.err'");
  }

  @Test
  void itsIdIsInASentence() {
    assertThat(lsf.submitted(said("Job <1> is submitted to default queue <normal>.\n")))
        .contains("1");
    assertThat(lsf.submitted(said("welcome\nJob <23> is submitted to queue <short>.\n")))
        .contains("23");
    assertThat(lsf.submitted(failed(255, "nope: No such queue. Job not submitted.\n"))).isEmpty();
  }

  @Test
  void readsStatesAndWhyJobsWait() {
    var answer = new Answer(255, JOBS, "Job <77> is not found\n");

    assertThat(lsf.states(answer, List.of()).orElseThrow())
        .isEqualTo(
            Map.of(
                "1", new JobReport(JobState.RUNNING, "RUN on kappa-2, kappa-1"),
                "4",
                    new JobReport(
                        JobState.HELD_BY_USER,
                        "PSUSP (The job was suspended by the user while pending: 1 host)"),
                "6",
                    new JobReport(
                        JobState.SUSPENDED_BY_USER, "USUSP (The job was suspended by user)"),
                "14",
                    new JobReport(
                        JobState.QUEUED,
                        "PEND (Job slot limit reached: 1 host; Not enough processors to meet the"
                            + " job's spanning requirement: 2 hosts)"),
                "9", new JobReport(JobState.DONE, "DONE"),
                "12", new JobReport(JobState.FAILED, "EXIT")));
  }

  @Test
  void knowsAForgottenJobFromALostServer() {
    var forgotten = failed(255, "Job <77> is not found\n");
    assertThat(lsf.states(forgotten, List.of("77"))).contains(Map.of());
    assertThat(lsf.isAway(forgotten)).isFalse();
    assertThat(lsf.ended("77", forgotten)).isEmpty();

    var away = failed(255, "batch system daemon not responding ... still trying\n");
    assertThat(lsf.states(away, List.of("77"))).isEmpty();
    assertThat(lsf.isAway(away)).isTrue();
  }

  @Test
  void readsHowAJobEnded() {
    assertThat(lsf.ended("9", said(JOBS))).contains(JobEnd.exited("9", 0, "done"));
    assertThat(lsf.ended("12", said(JOBS))).contains(JobEnd.exited("12", 7, "exited, exit code 7"));
    assertThat(lsf.ended("2", said(HISTORY))).contains(JobEnd.aborted("2", "killed by griduser"));
    assertThat(lsf.ended("4", said(HISTORY)))
        .contains(JobEnd.aborted("4", "exited, and LSF gives no exit code"));
    assertThat(lsf.ended("6", said(HISTORY)))
        .contains(JobEnd.aborted("6", "it reached its time limit of 1.0 min"));
    assertThat(lsf.ended("8", said(HISTORY)))
        .contains(JobEnd.signalled("8", "9", "exited, exit code 137"));
    assertThat(lsf.ended("18", said(HISTORY)))
        .as("its script ended in order")
        .contains(JobEnd.aborted("18", "killed by griduser"));
    assertThat(lsf.ended("11", said(HISTORY))).as("it runs").isEmpty();
    assertThat(lsf.ended("1", said(JOBS))).as("it runs").isEmpty();
  }

  @Test
  void reportsTheEndOfAKilledJobLate() {
    assertThat(lsf.killDelay()).isPositive();
  }

  @Test
  void readsLinesThatAreCutAtAnyCharacter() {
    assertThat(lsf.states(said(IBM), List.of()).orElseThrow())
        .isEqualTo(
            Map.of(
                "106", new JobReport(JobState.RUNNING, "RUN on hostA, hostB"),
                "107", new JobReport(JobState.FAILED, "EXIT")));
    assertThat(lsf.ended("107", said(IBM)))
        .contains(
            JobEnd.aborted("107", "TERM_RUNLIMIT: job killed after reaching LSF run time limit"));
  }
}
