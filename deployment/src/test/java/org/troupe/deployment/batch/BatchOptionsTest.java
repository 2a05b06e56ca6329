package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.launch.BatchLauncher;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.descriptors.BatchJvms;

/** The resources of an element as options of each batch system, and in a plan. */
class BatchOptionsTest {

  private static BatchJvms demanding(BatchJvms.Scheduler scheduler) {
    return BatchElements.demanding(BatchElements.of(scheduler, Optional.empty(), 2, 3));
  }

  @Test
  void slurm() {
    assertThat(BatchOptions.of(demanding(new BatchJvms.Scheduler.Slurm())))
        .containsExactly(
            "--no-requeue",
            "--nodes=2",
            "--ntasks-per-node=3",
            "--cpus-per-task=4",
            "--mem=3072M",
            "--time=01:30:00",
            "--partition=long",
            "--account=physics",
            "--comment=two words");
  }

  @Test
  void pbs() {
    assertThat(BatchOptions.of(demanding(new BatchJvms.Scheduler.Pbs())))
        .containsExactly(
            "-r",
            "n",
            "-l",
            "nodes=2:ppn=12,mem=6144mb,walltime=01:30:00",
            "-q",
            "long",
            "-A",
            "physics",
            "--comment=two words");
  }

  @Test
  void gridEngine() {
    assertThat(BatchOptions.of(demanding(new BatchJvms.Scheduler.GridEngine(Optional.of("mpi")))))
        .containsExactly(
            "-r",
            "n",
            "-w",
            "e",
            "-pe",
            "mpi",
            "24",
            "-l",
            "mem_free=256M",
            "-l",
            "h_rt=5400",
            "-q",
            "long",
            "-P",
            "physics",
            "--comment=two words");
  }

  @Test
  void oar() {
    var element = demanding(new BatchJvms.Scheduler.Oar());

    assertThat(BatchOptions.of(element))
        .containsExactly(
            "-l",
            "/nodes=2/core=12,walltime=01:30:00",
            "-q",
            "long",
            "--project",
            "physics",
            "--comment=two words");
    assertThat(BatchOptions.of(BatchElements.skipping(element, "core", "walltime", "-q")))
        .containsExactly("-l", "/nodes=2", "--project", "physics", "--comment=two words");
    assertThat(BatchOptions.problems(element))
        .singleElement()
        .asString()
        .startsWith("grid.xml:7:5: 'bundle' has memory, which OAR cannot express; leave it out, ");
  }

  @Test
  void flux() {
    var element = demanding(new BatchJvms.Scheduler.Flux());

    assertThat(BatchOptions.of(element))
        .containsExactly(
            "--nodes=2",
            "--nslots=6",
            "--cores-per-slot=4",
            "--time-limit=5400s",
            "--queue=long",
            "--bank=physics",
            "--comment=two words");
    assertThat(BatchOptions.problems(element))
        .containsExactly(
            "grid.xml:7:5: 'bundle' has memory, which Flux cannot express; leave it out;"
                + " <option>--exclusive</option> asks for whole machines");
  }

  @Test
  void htcondor() {
    var element = demanding(new BatchJvms.Scheduler.Htcondor());

    assertThat(BatchOptions.of(element))
        .containsExactly(
            "troupe_machines=2",
            "periodic_remove=((JobStatus == 1 || JobStatus == 5) && NumJobStarts > 0)"
                + " || (JobStatus == 2 && time() - JobCurrentStartDate > 5400)",
            "job_max_vacate_time=15",
            "request_cpus=12",
            "request_memory=3072M",
            "accounting_group=physics",
            "--comment=two words");
    assertThat(BatchOptions.problems(element))
        .containsExactly(
            "grid.xml:7:5: 'bundle' has a queue, which HTCondor does not have; leave it out, and"
                + " choose machines by <option>requirements=...</option>");
  }

  @Test
  void lsf() {
    var element = demanding(new BatchJvms.Scheduler.Lsf());

    assertThat(BatchOptions.of(element))
        .containsExactly(
            "-n",
            "24",
            "-R",
            "span[ptile=12]",
            "-W",
            "1:30",
            "-q",
            "long",
            "-P",
            "physics",
            "--comment=two words");
    assertThat(BatchOptions.problems(element))
        .singleElement()
        .asString()
        .startsWith("grid.xml:7:5: 'bundle' has memory, which LSF cannot express; leave it out, ")
        .endsWith(" with skip=\"span\"");
  }

  @Test
  void gridEngineGetsOneSlotPerMachineWhereNoCpusAreAskedFor() {
    var element =
        BatchElements.of(
            new BatchJvms.Scheduler.GridEngine(Optional.of("spread")), Optional.empty(), 2, 3);

    assertThat(BatchOptions.of(element))
        .containsExactly("-r", "n", "-w", "e", "-pe", "spread", "2");
  }

  @Test
  void severalMachinesNeedAParallelEnvironment() {
    var element =
        BatchElements.of(
            new BatchJvms.Scheduler.GridEngine(Optional.empty()), Optional.empty(), 2, 1);

    assertThat(BatchOptions.problems(element))
        .containsExactly(
            "grid.xml:7:5: 'bundle' asks Grid Engine for 2 machines, which needs a parallel"
                + " environment; name one that spreads jobs over machines as parallelEnvironment;"
                + " 'qconf -spl' lists them");
  }

  @Test
  void drmaaHasFewWords() {
    var element =
        demanding(new BatchJvms.Scheduler.Drmaa(Optional.empty(), Optional.of("-pe mpi %d")));

    assertThat(BatchOptions.of(element)).containsExactly("-pe", "mpi", "2", "--comment=two words");
    assertThat(BatchOptions.problems(element))
        .hasSize(4)
        .first()
        .isEqualTo(
            "grid.xml:7:5: 'bundle' has queue, which DRMAA cannot express; give the batch system's"
                + " own option instead");
  }

  @Test
  void aPlanShowsTheSubmissionAndTheScript() {
    var launcher =
        new BatchLauncher(
            demanding(new BatchJvms.Scheduler.Slurm()),
            List.of("workers"),
            new MachineRegistry(""));

    assertThat(launcher.preparation())
        .startsWith(
            "the job of 'bundle' is submitted to Slurm by\n"
                + "  sbatch --parsable --job-name=troupe-bundle ")
        .contains("--time=01:30:00")
        .contains("'--comment=two words' ")
        .contains("\nwith this script (HOME is the home directory there, RUN a new name")
        .contains("\n  #!/bin/sh\n")
        .contains("    cd ./work/here || exit\n")
        .contains("    export GREETING='it'\\''s $HOME'\n")
        .contains(" --ntasks=6 --ntasks-per-node=3 --cpus-per-task=4 ");
    assertThat(launcher.nodes()).hasSize(6);
  }

  @Test
  void skippedOptionsAreNotPassed() {
    assertThat(
            BatchOptions.of(
                BatchElements.skipping(
                    demanding(new BatchJvms.Scheduler.Slurm()), "--mem", "--no-requeue")))
        .containsExactly(
            "--nodes=2",
            "--ntasks-per-node=3",
            "--cpus-per-task=4",
            "--time=01:30:00",
            "--partition=long",
            "--account=physics",
            "--comment=two words");
    assertThat(
            BatchOptions.of(
                BatchElements.skipping(
                    demanding(new BatchJvms.Scheduler.Pbs()), "-r", "mem", "walltime", "-A")))
        .containsExactly("-l", "nodes=2:ppn=12", "-q", "long", "--comment=two words");
    assertThat(
            BatchOptions.of(
                BatchElements.skipping(
                    demanding(new BatchJvms.Scheduler.Pbs()), "nodes", "mem", "walltime")))
        .containsExactly("-r", "n", "-q", "long", "-A", "physics", "--comment=two words");
    assertThat(
            BatchOptions.of(
                BatchElements.skipping(
                    demanding(new BatchJvms.Scheduler.GridEngine(Optional.of("mpi"))),
                    "-w",
                    "mem_free",
                    "-P")))
        .containsExactly(
            "-r", "n", "-pe", "mpi", "24", "-l", "h_rt=5400", "-q", "long", "--comment=two words");
  }

  @Test
  void aSkippedOptionThatIsNeverPassedIsAProblem() {
    assertThat(
            BatchOptions.problems(
                BatchElements.skipping(
                    demanding(new BatchJvms.Scheduler.Slurm()), "--memory", "--time")))
        .containsExactly(
            "grid.xml:7:5: 'bundle' skips '--memory', which it does not pass anyway; choose from"
                + " '--no-requeue', '--nodes', '--ntasks-per-node', '--cpus-per-task', '--mem',"
                + " '--time', '--partition', '--account'");
  }
}
