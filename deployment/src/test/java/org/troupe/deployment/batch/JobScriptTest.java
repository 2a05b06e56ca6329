package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.Processes;
import org.troupe.descriptors.BatchJvms;

/** The script of a job, run by the shell with stand-ins for the scheduler's commands. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // a read is not interrupted
class JobScriptTest {

  private static final BatchJvms.Scheduler SLURM = new BatchJvms.Scheduler.Slurm();
  private static final BatchJvms.Scheduler PBS = new BatchJvms.Scheduler.Pbs();
  private static final BatchJvms.Scheduler GRID_ENGINE =
      new BatchJvms.Scheduler.GridEngine(Optional.of("mpi"));
  private static final BatchJvms.Scheduler OAR = new BatchJvms.Scheduler.Oar();
  private static final BatchJvms.Scheduler FLUX = new BatchJvms.Scheduler.Flux();
  private static final BatchJvms.Scheduler HTCONDOR = new BatchJvms.Scheduler.Htcondor();
  private static final BatchJvms.Scheduler LSF = new BatchJvms.Scheduler.Lsf();
  private static final BatchJvms.Scheduler DRMAA =
      new BatchJvms.Scheduler.Drmaa(Optional.empty(), Optional.of("-pe mpi %d"));

  /** The command instead of a node's JVM. */
  private static final List<String> STAND_IN =
      List.of(
          "/bin/sh", "-c", "echo \"$2 $GREETING $TROUPE_JOB $AT\"; [ $2 -ne 3 ] || exit 5", "-");

  @TempDir private Path temporary;
  private Path run;
  private Path bin;

  static Stream<BatchJvms.Scheduler> schedulers() {
    return Stream.of(SLURM, PBS, GRID_ENGINE, OAR, FLUX, HTCONDOR, LSF, DRMAA);
  }

  @BeforeEach
  void makeFolders() throws IOException {
    run = Files.createDirectory(temporary.resolve("it's a run"));
    bin = Files.createDirectory(temporary.resolve("bin"));
    Files.writeString(run.resolve(JobScript.SETTINGS), "secret");
  }

  private Path script(BatchJvms.Scheduler scheduler) throws IOException {
    var element = BatchElements.of(scheduler, Optional.empty(), 2, 2);
    return Files.writeString(run.resolve("job"), JobScript.of(element, run.toString(), STAND_IN));
  }

  /** Puts a command on the script's PATH. */
  private void command(String name, String text) throws IOException {
    var file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private String run(Path script, String... environment) throws Exception {
    return run(List.of("/bin/sh", script.toString()), environment);
  }

  private String run(List<String> command, String... environment) throws Exception {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    for (var i = 0; i < environment.length; i += 2) {
      builder.environment().put(environment[i], environment[i + 1]);
    }
    var process = builder.start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  private List<String> nodesSaid() throws IOException {
    var said = new ArrayList<String>();
    for (var rank = 0; rank < 4; rank++) {
      said.add(
          Files.readString(run.resolve(rank + ".out")).strip()
              + " -> "
              + Files.readString(run.resolve(rank + ".end")).strip());
    }
    return said;
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void isWellFormedForAnyShell(BatchJvms.Scheduler scheduler) throws Exception {
    var script = script(scheduler);
    for (var shell : List.of("bash", "sh")) {
      var check = new ProcessBuilder(shell, "-n", script.toString()).redirectErrorStream(true);
      var process = check.start();
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEmpty();
      assertThat(process.waitFor()).isZero();
    }
  }

  /** Runs the script of a job of one JVM on this machine, with commands before the JVM. */
  private String runAfter(String... prologue) throws Exception {
    command("srun", "while [ \"$1\" != /bin/sh ]; do shift; done; SLURM_PROCID=0 \"$@\"\n");
    var element = BatchElements.after(BatchElements.of(SLURM, Optional.empty(), 1, 1), prologue);
    var text =
        JobScript.of(element, run.toString(), List.of("/bin/sh", "-c", "echo \"$2 $HEAT\"", "-"));
    return run(Files.writeString(run.resolve("job"), text), "SLURM_JOB_ID", "17");
  }

  @Test
  void thePrologueRunsInTheEnvironmentOfTheJvm() throws Exception {
    var modules = Files.createDirectories(temporary.resolve("modules/init"));
    Files.writeString(
        modules.resolve("sh"), "module() { [ \"$2\" = gdal ] && export HEAT=\"$1 $2\"; }\n");
    command("srun", "while [ \"$1\" != /bin/sh ]; do shift; done; SLURM_PROCID=0 \"$@\"\n");
    var element =
        BatchElements.after(
            BatchElements.of(SLURM, Optional.empty(), 1, 1),
            "module load gdal",
            "export HEAT=\"$HEAT, it's\"\nset -- 7; run=/nowhere");
    var text =
        JobScript.of(
            element, run.toString(), List.of("/bin/sh", "-c", "echo \"$1 $2 $HEAT\"", "-"));

    run(
        Files.writeString(run.resolve("job"), text),
        "SLURM_JOB_ID",
        "17",
        "MODULESHOME",
        modules.getParent().toString());

    assertThat(run.resolve("0.err")).hasContent("");
    assertThat(run.resolve("0.out"))
        .hasContent(run.resolve(JobScript.SETTINGS) + " 0 load gdal, it's");
  }

  @Test
  void aFailedPrologueIsTheErrorOfTheJvm() throws Exception {
    runAfter("true", "cd /no/such/folder", "echo never");

    assertThat(run.resolve("0.out")).hasContent("");
    assertThat(Files.readString(run.resolve("0.err")))
        .contains("the prologue 'cd /no/such/folder' failed");
    assertThat(Files.readString(run.resolve("0.end")).strip()).isNotEqualTo("0");
  }

  @Test
  void anUnbalancedQuoteInAPrologueDoesNotReachTheRestOfTheScript() throws Exception {
    runAfter("echo 'unbalanced");

    assertThat(run.resolve("0.out")).hasContent("");
    assertThat(Files.readString(run.resolve("0.err"))).containsIgnoringCase("quote");
    assertThat(Files.readString(run.resolve("0.end")).strip()).isNotEqualTo("0");
  }

  @Test
  void slurmsSrunStartsEachJvm() throws Exception {
    command(
        "srun",
        """
        echo "$@" >"$(dirname "$0")/srun.log"
        while [ "$1" != /bin/sh ]; do shift; done
        for rank in 0 1 2 3; do SLURM_PROCID=$rank "$@"; done
        """);

    assertThat(run(script(SLURM), "SLURM_JOB_ID", "17")).isEmpty();

    assertThat(nodesSaid())
        .containsExactly(
            "0 it's $HOME 17 -> 0",
            "1 it's $HOME 17 -> 0",
            "2 it's $HOME 17 -> 0",
            "3 it's $HOME 17 -> 5");
    assertThat(Files.readString(bin.resolve("srun.log")))
        .startsWith("--kill-on-bad-exit=0 --wait=0 --ntasks=4 --ntasks-per-node=2 ");
    assertThat(run.resolve(JobScript.SETTINGS)).doesNotExist();
  }

  @Test
  void withoutPbsdshTheFirstMachineReachesTheOthersBySsh() throws Exception {
    // After two options and their values. Processes that it leaves behind keep the script's output
    // open.
    command("ssh", "AT=$5 exec /bin/sh -c \"$6\" 8>&1\n");
    var hosts = Files.writeString(temporary.resolve("hosts"), "h1\nh1\nh2\nh2\n");

    assertThat(run(script(PBS), "PBS_JOBID", "17.server", "PBS_NODEFILE", hosts.toString()))
        .isEmpty();

    assertThat(nodesSaid())
        .containsExactly(
            "0 it's $HOME 17.server -> 0",
            "1 it's $HOME 17.server -> 0",
            "2 it's $HOME 17.server h2 -> 0",
            "3 it's $HOME 17.server h2 -> 5");
  }

  @Test
  void pbsdshIsToldTheIndexOfTheMachinesFirstSlot() throws Exception {
    command("pbsdsh", "echo \"$1 $2\" >\"$(dirname \"$0\")/log\"; shift 2; AT=there exec \"$@\"\n");
    var hosts = Files.writeString(temporary.resolve("hosts"), "h1\nh1\nh2\nh2\n");

    run(script(PBS), "PBS_JOBID", "17", "PBS_NODEFILE", hosts.toString());

    assertThat(Files.readString(bin.resolve("log"))).isEqualTo("-n 2\n");
    assertThat(nodesSaid().get(2)).isEqualTo("2 it's $HOME 17 there -> 0");
  }

  @Test
  void gridEnginesQrshIsUsedWhereTheParallelEnvironmentAllowsIt() throws Exception {
    command("qconf", "echo 'control_slaves     TRUE'\n");
    command("qrsh", "AT=$3; export AT; shift 3; exec \"$@\"\n");
    var hosts = Files.writeString(temporary.resolve("hosts"), "h1 1 q@h1 U\nh2 1 q@h2 U\n");

    run(script(GRID_ENGINE), "JOB_ID", "17", "PE", "mpi", "PE_HOSTFILE", hosts.toString());

    assertThat(nodesSaid().get(2)).isEqualTo("2 it's $HOME 17 h2 -> 0");
  }

  @Test
  void oarsOwnSshReachesTheOtherMachinesFromACpuset() throws Exception {
    command("grep", "[ \"$3\" = /proc/self/cpuset ]\n");
    command("oarsh", "AT=$5 exec /bin/sh -c \"$6\" 8>&1\n"); // after two options and their values
    var hosts = Files.writeString(temporary.resolve("hosts"), "h1\nh1\nh2\nh2\n");

    run(script(OAR), "OAR_JOB_ID", "17", "OAR_NODE_FILE", hosts.toString());

    assertThat(nodesSaid().get(0)).isEqualTo("0 it's $HOME 17 -> 0");
    assertThat(nodesSaid().get(2)).isEqualTo("2 it's $HOME 17 h2 -> 0");
  }

  @Test
  void fluxStartsEachJvmInTheInstanceOfTheJob() throws Exception {
    command(
        "flux",
        """
        if [ "$1" = getattr ]; then
          echo "f17 of $2"
          exit
        fi
        echo "$@" >"$(dirname "$0")/flux.log"
        while [ "$1" != /bin/sh ]; do shift; done
        for rank in 0 1 2 3; do FLUX_TASK_RANK=$rank "$@"; done
        """);

    assertThat(run(script(FLUX))).isEmpty();

    assertThat(nodesSaid())
        .containsExactly(
            "0 it's $HOME f17 of jobid -> 0",
            "1 it's $HOME f17 of jobid -> 0",
            "2 it's $HOME f17 of jobid -> 0",
            "3 it's $HOME f17 of jobid -> 5");
    assertThat(Files.readString(bin.resolve("flux.log")))
        .startsWith("run --nodes=2 --ntasks=4 -o exit-timeout=none /bin/sh ");
  }

  @Test
  void htcondorStartsEachMachineOnce() throws Exception {
    var script = script(HTCONDOR).toString();
    for (var rank = 0; rank < 4; rank++) {
      Files.createFile(run.resolve(rank + ".end"));
    }

    assertThat(run(List.of("/bin/sh", script, "17", "1"))).isEmpty();
    assertThat(run.resolve("0.end")).hasContent("");
    assertThat(run.resolve(JobScript.SETTINGS)).as("for the other machine").exists();
    assertThat(run(List.of("/bin/sh", script, "17", "0"))).isEmpty();
    assertThat(run.resolve(JobScript.SETTINGS)).doesNotExist();

    assertThat(nodesSaid())
        .containsExactly(
            "0 it's $HOME 17 -> 0",
            "1 it's $HOME 17 -> 0",
            "2 it's $HOME 17 -> 0",
            "3 it's $HOME 17 -> 5");
    assertThat(run(List.of("/bin/sh", script, "17", "1")))
        .contains("mkdir")
        .contains("machine-1")
        .contains("evicted");
  }

  @Test
  void withoutBlaunchTheFirstMachineOfLsfReachesTheOthersBySsh() throws Exception {
    command("ssh", "AT=$5 exec /bin/sh -c \"$6\" 8>&1\n"); // after two options and their values
    var script = script(LSF);

    assertThat(run(script, "LSB_JOBID", "17", "LSB_MCPU_HOSTS", "h1 2 h2 2 ")).isEmpty();

    assertThat(nodesSaid())
        .containsExactly(
            "0 it's $HOME 17 -> 0",
            "1 it's $HOME 17 -> 0",
            "2 it's $HOME 17 h2 -> 0",
            "3 it's $HOME 17 h2 -> 5");
    assertThat(run(script, "LSB_JOBID", "17", "LSB_MCPU_HOSTS", "h1 2 h2 2 "))
        .contains("LSF has started the job again");
  }

  @Test
  void blaunchIsUsedWhereItIs() throws Exception {
    command("blaunch", "[ \"$1\" = -n ] && AT=$2 && export AT; shift 2; exec \"$@\"\n");

    run(script(LSF), "LSB_JOBID", "17", "LSB_MCPU_HOSTS", "h1 2 h2 1 h1 1");

    assertThat(nodesSaid().get(2)).isEqualTo("2 it's $HOME 17 h2 -> 0");
  }

  @Test
  void theSignalOfLsfAtTheTimeLimitEndsTheJvms() throws Exception {
    var news = temporary.resolve("news"); // a pipe: reading blocks until there is output
    assertThat(new ProcessBuilder("mkfifo", news.toString()).start().waitFor()).isZero();
    var standIn = List.of("/bin/sh", "-c", "echo $PPID >" + news + "; exec sleep 600", "-");
    var element = BatchElements.of(LSF, Optional.empty(), 1, 1);
    var text = JobScript.of(element, run.toString(), standIn);
    var script = Files.writeString(run.resolve("job"), text);
    var builder = new ProcessBuilder("/bin/sh", script.toString());
    builder.environment().putAll(Map.of("LSB_JOBID", "17", "LSB_MCPU_HOSTS", "h1 1 "));
    var process = builder.start();
    var parent = Files.readString(news).strip();

    do { // the first shell may not be ready for the signal yet
      new ProcessBuilder("kill", "-USR2", parent, Long.toString(process.pid())).start().waitFor();
    } while (!process.waitFor(100, TimeUnit.MILLISECONDS));

    assertThat(process.exitValue()).isEqualTo(140);
    assertThat(Files.readString(run.resolve("0.end"))).isEqualTo("143\n");
  }

  @Test
  void aJobWhoseNodesHaveAllLostTheirLauncherRemovesItsFolder() throws Exception {
    command(
        "srun",
        """
        while [ "$1" != /bin/sh ]; do shift; done
        for rank in 0 1 2 3; do SLURM_PROCID=$rank "$@"; done
        """);
    var standIn = List.of("/bin/sh", "-c", "[ $2 -ge ${TALKS:-0} ] && exit 75", "-");
    var element = BatchElements.of(SLURM, Optional.empty(), 2, 2);
    var text = JobScript.of(element, run.toString(), standIn);
    var script = Files.writeString(run.resolve("job"), text);

    assertThat(run(script, "SLURM_JOB_ID", "17", "TALKS", "1")).isEmpty();
    assertThat(Files.readString(run.resolve("3.end"))).isEqualTo("75\n");
    assertThat(run(script, "SLURM_JOB_ID", "18")).isEmpty();
    assertThat(run).doesNotExist();
  }

  @Test
  void fewerMachinesThanAskedForGetMoreJvms() throws Exception {
    var hosts = Files.writeString(temporary.resolve("hosts"), "h1 2 q@h1 U\n");

    run(script(DRMAA), "JOB_ID", "17", "PE", "fill", "PE_HOSTFILE", hosts.toString());

    assertThat(nodesSaid().get(3)).isEqualTo("3 it's $HOME 17 -> 5");
  }

  @Test
  void aMachineThatCannotBeReachedEndsItsNodesWithTheReason() throws Exception {
    command("ssh", "echo 'ssh: connect to host h2 port 22: Connection refused' >&2; exit 255\n");
    var hosts = Files.writeString(temporary.resolve("hosts"), "h1\nh2\n");

    run(script(PBS), "PBS_JOBID", "17", "PBS_NODEFILE", hosts.toString());

    assertThat(Files.readString(run.resolve("2.end"))).isEqualTo("255\n");
    assertThat(Files.readString(run.resolve("3.err"))).contains("Connection refused");
    assertThat(Files.readString(run.resolve("0.end"))).isEqualTo("0\n");
  }

  @Test
  void whatWasStartedOverSshEndsWithItsInput() throws Exception {
    var element = BatchElements.of(PBS, Optional.empty(), 1, 1);
    var news = temporary.resolve("news"); // a pipe: reading blocks until there is output
    assertThat(new ProcessBuilder("mkfifo", news.toString()).start().waitFor()).isZero();
    var standIn = List.of("/bin/sh", "-c", "echo $$ >" + news + "; exec sleep 600", "-");
    var script =
        Files.writeString(run.resolve("job"), JobScript.of(element, run.toString(), standIn));
    var process =
        new ProcessBuilder("/bin/sh", script.toString(), "host", "17", "0", "1", "watch").start();
    var pid = Long.parseLong(Files.readString(news).strip());

    process.getOutputStream().close();

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(run.resolve("0.end"))).isEqualTo("143\n");
    Processes.assertGone(pid);
  }
}
