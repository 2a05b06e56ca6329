package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.site.SiteFacts.Queue;
import org.troupe.deployment.site.SiteFacts.Refusal;
import org.troupe.deployment.site.SiteFacts.Scheduler;

/** Surveys of sites, on answers recorded from real schedulers. */
class SiteSurveyTest {

  private static final String TEST_ONLY =
      "sbatch --test-only --job-name=troupe-site --nodes=1 --partition=main";

  private static final String FLUX_QUEUES =
      "flux queue list -n --format={queuem}|{enabled}|{started}|{limits.timelimit}|{resources.all.nnodes}|{resources.all.ncores}";

  private static SiteFacts ask(RecordedCommands commands) throws IOException {
    return SiteSurvey.ask(
        "front-end", commands, 4711, List.of("10.0.0.1"), Instant.parse("2026-11-27T09:00:00.5Z"));
  }

  private static SiteFacts ask(String resource) throws IOException {
    return ask(RecordedCommands.of(resource));
  }

  @Test
  void slurmSaysItsPartitionsAndRefusesMemory() throws IOException {
    var facts = ask("alpha.txt");

    assertThat(facts.scheduler()).isEqualTo(Scheduler.SLURM);
    assertThat(facts.asked()).isEqualTo("2026-11-27T09:00:00Z");
    assertThat(facts.system()).isEqualTo("Linux x86_64");
    assertThat(facts.queues()).containsExactly(new Queue("main", true, 86400, 2, 4));
    assertThat(facts.accounts()).isEmpty();
    assertThat(facts.hasDryRun()).isTrue();
    assertThat(facts.refusals())
        .containsExactly(
            new Refusal(
                "--mem", "allocation failure: Requested node configuration is not available"));
    assertThat(facts.java()).contains("25.0.3 /usr/lib/jvm/temurin-25-jdk-amd64/bin/java");
    assertThat(facts.scratch()).containsExactly("67 /home/griduser");
    assertThat(facts.dialled()).isEmpty();
    assertThat(facts.remarks()).isEmpty();
  }

  @Test
  void theAccountsOfSlurmsDatabaseArePartOfTheDryRun() throws IOException {
    var commands =
        RecordedCommands.of("alpha.txt")
            .with(
                "/bin/sh -c exec sacctmgr -nP show assoc user=\"$(id -un)\" format=Account,Partition",
                0,
                "physics|\nphysics|gpu\nchemistry|\n",
                "");
    var start = TEST_ONLY + " --account=physics ";
    for (var option : List.of("", "--no-requeue ", "--ntasks-per-node=1 ", "--cpus-per-task=1 ")) {
      commands.with(start + option + "--wrap true", 0, "", "");
    }
    commands.with(start + "--mem=256M --wrap true", 0, "", "");
    commands.with(
        start + "--time=00:01:00 --wrap true",
        1,
        "",
        "sbatch: error: cli_filter: no --time here\nallocation failure: Unspecified error\n");

    var facts = ask(commands);

    assertThat(facts.accounts()).containsExactly("physics", "chemistry");
    assertThat(facts.refusals())
        .containsExactly(
            new Refusal(
                "--time",
                "sbatch: error: cli_filter: no --time here; allocation failure: Unspecified error"));
  }

  @Test
  void aSiteThatRefusesEveryJobIsAskedForNoOptions() throws IOException {
    var commands =
        RecordedCommands.of("alpha.txt")
            .with(TEST_ONLY + " --wrap true", 1, "", "allocation failure: Access denied\n");

    var facts = ask(commands);

    assertThat(facts.refusals())
        .containsExactly(new Refusal("", "allocation failure: Access denied"));
    assertThat(commands.asked()).last().isEqualTo(TEST_ONLY + " --wrap true");
  }

  @Test
  void aPartitionThatIsDownIsNotOffered() throws IOException {
    var partition = "PartitionName=%s Default=%s MaxTime=%s State=%s TotalCPUs=%d TotalNodes=%d\n";
    var commands =
        RecordedCommands.of("alpha.txt")
            .with(
                "scontrol show partition -o",
                0,
                partition.formatted("old", "YES", "UNLIMITED", "DOWN", 80, 10)
                    + partition.formatted("small", "NO", "30:00", "UP", 8, 2)
                    + partition.formatted("main", "NO", "2-12:00:00", "UP", 640, 10),
                "");

    assertThat(ask(commands).queues())
        .containsExactly(
            new Queue("main", false, 216_000, 10, 64), new Queue("small", false, 1800, 2, 4));
  }

  @Test
  void pbsSaysItsQueuesAndHasNoDryRun() throws IOException {
    var facts = ask("beta.txt");

    assertThat(facts.scheduler()).isEqualTo(Scheduler.PBS);
    assertThat(facts.queues()).containsExactly(new Queue("batch", true, 86400, 2, 4));
    assertThat(facts.hasDryRun()).isFalse();
    assertThat(facts.refusals()).isEmpty();
    assertThat(facts.remarks()).isEmpty();
  }

  @Test
  void openPbsSaysItsQueues() throws IOException {
    var facts = ask("iota.txt");

    assertThat(facts.scheduler()).isEqualTo(Scheduler.PBS);
    assertThat(facts.queues()).containsExactly(new Queue("workq", true, 0, 2, 4));
    assertThat(facts.remarks()).isEmpty();
  }

  @Test
  void gridEngineSaysWhichParallelEnvironmentSpreadsJobs() throws IOException {
    var facts = ask("gamma.txt");

    assertThat(facts.scheduler()).isEqualTo(Scheduler.GRID_ENGINE);
    assertThat(facts.queues()).containsExactly(new Queue("all.q", true, 0, 2, 4));
    assertThat(facts.parallelEnvironments()).containsExactly("spread", "mpi");
    assertThat(facts.refusals()).extracting(Refusal::option).containsExactly("mem_free");
    assertThat(facts.accounts()).isEmpty();
  }

  @Test
  void aProjectOfGridEngineIsNamedWhereJobsNeedOne() throws IOException {
    var plain = "qsub -w v -b y -N troupe-site -q all.q ";
    var commands =
        RecordedCommands.of("gamma.txt")
            .with("qconf -sprjl", 0, "closed\nopen\n", "")
            .with(plain + "/bin/true", 1, "", "Unable to run job: no project\n")
            .with(plain + "-P closed /bin/true", 1, "", "Unable to run job: not you\n");
    for (var option : List.of("", "-pe spread 1 ", "-r n ", "-l mem_free=1M ", "-l h_rt=60 ")) {
      commands.with(plain + "-P open " + option + "/bin/true", 0, "", "");
    }

    var facts = ask(commands);

    assertThat(facts.accounts()).containsExactly("open");
    assertThat(facts.refusals()).isEmpty();
  }

  @Test
  void oarSaysItsMachinesOnly() throws IOException {
    var facts = ask("eta.txt");

    assertThat(facts.scheduler()).isEqualTo(Scheduler.OAR);
    assertThat(facts.queues()).containsExactly(new Queue("", true, 0, 2, 4));
    assertThat(facts.hasDryRun()).isFalse();
    assertThat(facts.refusals()).isEmpty();
    assertThat(facts.remarks()).isEmpty();
    assertThat(SiteText.of(facts))
        .contains("the usual queue: no known time limit, 2 machines of 4 processors");
  }

  @Test
  void oarWithoutCoresRefusesThem() throws IOException {
    var commands =
        RecordedCommands.of("eta.txt")
            .with(
                "oarnodes -r 1",
                0,
                "state : Alive\nproperties : host=eta-1, score=3, network_address=eta-1\n",
                "");

    assertThat(ask(commands).refusals())
        .containsExactly(new Refusal("core", "its machines have no property 'core'"));
  }

  @Test
  void oarCountsMachinesThatAreAlive() throws IOException {
    var commands =
        RecordedCommands.of("eta.txt")
            .with("oarnodes -s", 0, "eta-1\n    1 : Alive\neta-2\n    5 : Suspected\n", "");

    assertThat(ask(commands).queues()).containsExactly(new Queue("", true, 0, 1, 1));

    commands.with("oarnodes -s", 0, "eta-2\n    5 : Suspected\n", "");
    assertThat(ask(commands).remarks())
        .containsExactly("OAR has no machine that is alive; ask its administrator");
  }

  @Test
  void fluxSaysItsMachines() throws IOException {
    var facts = ask("theta.txt");

    assertThat(facts.scheduler()).isEqualTo(Scheduler.FLUX);
    assertThat(facts.queues()).containsExactly(new Queue("", true, 0, 2, 4));
    assertThat(facts.hasDryRun()).isFalse();
    assertThat(facts.remarks()).isEmpty();
  }

  @Test
  void fluxSaysItsQueuesThatStartJobs() throws IOException {
    var commands =
        RecordedCommands.of("theta.txt")
            .with(
                FLUX_QUEUES,
                0,
                """
                pdebug|✔|✔|1800.0|2|8
                batch*|✔|✔|7200.0|20|960
                closed|✗|✔|7200.0|20|960
                stopped|y|n|inf|20|960
                """,
                "");

    assertThat(ask(commands).queues())
        .containsExactly(
            new Queue("batch", true, 7200, 20, 48), new Queue("pdebug", false, 1800, 2, 4));
  }

  @Test
  void aFluxWithoutAnInstanceIsARemark() throws IOException {
    var commands =
        RecordedCommands.of("theta.txt")
            .with(
                FLUX_QUEUES,
                1,
                "",
                "flux-queue: ERROR: Unable to connect to Flux: broker socket /nope was not found\n");

    assertThat(ask(commands).remarks())
        .containsExactly(
            "Flux does not answer: flux-queue: ERROR: Unable to connect to Flux: broker socket /nope was not found");
  }

  @Test
  void htcondorSaysItsMachines() throws IOException {
    var slots = "condor_status -constraint SlotType =!= \"Dynamic\" -af Machine TotalSlotCpus";
    var commands =
        RecordedCommands.of("alpha.txt")
            .with("script", 0, "system Linux x86_64\nhas condor_submit\n", "")
            .with(slots, 0, "zeta-fe 4\nzeta-1 2\nzeta-1 6\n", "");

    var facts = ask(commands);

    assertThat(facts.scheduler()).isEqualTo(Scheduler.HTCONDOR);
    assertThat(facts.queues()).containsExactly(new Queue("", true, 0, 2, 4));
    commands.with(slots, 1, "", "Error: communication error\n");
    assertThat(ask(commands).remarks())
        .containsExactly("HTCondor does not answer: Error: communication error");
  }

  @Test
  void lsfSaysItsQueuesThatStartJobs() throws IOException {
    var facts = ask("kappa.txt");

    assertThat(facts.scheduler()).isEqualTo(Scheduler.LSF);
    assertThat(facts.queues())
        .containsExactly(
            new Queue("normal", true, 86400, 2, 4), new Queue("short", false, 300, 1, 4));
    assertThat(facts.hasDryRun()).isFalse();
    assertThat(facts.remarks()).isEmpty();
  }

  /** In the form that Volclava's source has for a queue with a default and several limits. */
  @Test
  void theTimeLimitOfAQueueOfLsfIsTheLongestOfRealTime() throws IOException {
    var commands =
        RecordedCommands.of("kappa.txt")
            .with(
                "bqueues -l",
                0,
                """
                QUEUE: normal
                  -- No description provided.  This is the default queue.

                PARAMETERS/STATISTICS
                PRIO NICE STATUS          MAX JL/U JL/P JL/H NJOBS  PEND   RUN SSUSP USUSP  RSV
                 30    0  Open:Active       -    -    -    -     0     0     0     0     0    0

                DEFAULT LIMITS:
                 RUNLIMIT
                 60.0 min

                MAXIMUM LIMITS:
                 CPULIMIT                 RUNLIMIT                 PROCLIMIT
                 600.0 min                1440.0 min               8

                USERS:  all
                HOSTS:  allgpu
                """,
                "");

    assertThat(ask(commands).queues())
        .as("with the machines of a group, which are not known")
        .containsExactly(new Queue("normal", true, 86400, 0, 0));
  }

  @Test
  void aMachineWithoutABatchSystemIsOnlyExamined() throws IOException {
    var commands =
        RecordedCommands.of("alpha.txt")
            .with(
                "script",
                0,
                "Welcome to the cluster!\nsystem Linux aarch64\nhides sbatch\nmodule java/25\ndials 10.0.0.1\n",
                "");

    var facts = ask(commands);

    assertThat(facts.scheduler()).isEqualTo(Scheduler.NONE);
    assertThat(facts.modules()).containsExactly("java/25");
    assertThat(facts.dialled()).containsExactly("10.0.0.1");
    assertThat(facts.remarks())
        .singleElement()
        .asString()
        .contains("'sbatch' is on the PATH of login shells only");
    assertThat(commands.asked()).containsExactly("script");
  }

  @Test
  void aStoppedSchedulerIsARemark() throws IOException {
    var commands =
        RecordedCommands.of("alpha.txt")
            .with(
                "scontrol show partition -o",
                1,
                "",
                "slurm_load_partitions error: Unable to contact slurm controller (connect failure)\n");

    assertThat(ask(commands).remarks())
        .containsExactly(
            "Slurm does not answer: slurm_load_partitions error: Unable to contact slurm controller (connect failure)",
            "Slurm has no partition that is up; ask its administrator");
  }
}
