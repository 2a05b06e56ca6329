package org.troupe.deployment.batch;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import org.troupe.deployment.node.NodeMain;
import org.troupe.deployment.process.ShellLine;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.Flux;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Htcondor;
import org.troupe.descriptors.BatchJvms.Scheduler.Lsf;
import org.troupe.descriptors.BatchJvms.Scheduler.Oar;
import org.troupe.descriptors.BatchJvms.Scheduler.Pbs;
import org.troupe.descriptors.BatchJvms.Scheduler.Slurm;

/**
 * The script of a job: it starts the JVMs of all nodes, each on its machine, and waits for them.
 */
public final class JobScript {

  /*
   * The run folder is on the site's shared file system. In it, RANK.out and RANK.err are the output of a JVM, and
   * RANK.end is its exit code, written last. The script also runs on the other machines of the job: it gets the index
   * of the machine and the number of machines, from which the ranks of the machine's JVMs follow. So the number of
   * machines that the batch system has really allocated does not matter.
   *
   * Processes started over ssh do not belong to the batch system, so they must end with their ssh connection. Their
   * input is a pipe without a writer, whose end means that the job has ended. The shell itself waits for that end: a
   * separate command would survive the shell, which is killed when the JVMs have ended.
   */
  public static final String SETTINGS = "settings";

  private static final String COMMON =
      """
      #!/bin/sh
      # Troupe: JVMs of '%2$s', %1$d in all.
      run=%3$s
      ranks=%1$d
      each=%4$d
      remote_shell=ssh

      # jvm RANK: runs one JVM; its exit code comes last.
      jvm() {
        (
          troupe_rank=$1 # commands of a prologue may change $1
          %5$s
        ) >"$run/$1.out" 2>"$run/$1.err" </dev/null &
        child=$!
        trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
        wait "$child"
        code=$?
        while kill -0 "$child" 2>/dev/null; do
          wait "$child"
          code=$?
        done
        echo "$code" >"$run/$1.end"
      }

      # host INDEX HOSTS: runs the JVMs of one machine of so many.
      host() {
        children=
        rank=0
        while [ "$rank" -lt "$ranks" ]; do
          if [ $((rank / each %% $2)) -eq "$1" ]; then
            jvm "$rank" &
            children="$children $!"
          fi
          rank=$((rank + 1))
        done
        trap 'kill -TERM $children 2>/dev/null' TERM INT HUP
        wait $children
        wait $children # again, if a signal ended the first
      }

      case ${1-} in
        jvm)
          export TROUPE_JOB="$2"
          jvm "${3-$SLURM_PROCID}"
          exit 0 ;;
        host)
          export TROUPE_JOB="$2"
          if [ "${5-}" = watch ]; then
            exec 3<&0
            (while read -r nothing; do :; done <&3; kill -TERM $$) >/dev/null 2>&1 &
            watcher=$!
          fi
          host "$3" "$4"
          [ -z "${watcher-}" ] || kill "$watcher"
          exit 0 ;;
      esac

      # spread HOST...: runs the JVMs on these machines, of which this is the first.
      spread() {
        count=$#
        index=0
        export TROUPE_JOB="$job"
        mkfifo "$run/hold" && exec 9<>"$run/hold"
        for name; do
          (
            if [ "$index" -eq 0 ]; then
              host 0 "$count"
            else
              remote "$name" "$index" 2>"$run/host-$index.log" &
              child=$!
              trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
              wait "$child" || missed "$index" "$?"
            fi
          ) &
          started="${started-} $!"
          index=$((index + 1))
        done
        trap 'kill -TERM $started 2>/dev/null' TERM INT HUP
        trap 'code=140; kill -TERM $started 2>/dev/null' USR2 # of LSF, at the time limit
        wait $started
        wait $started
      }

      # missed INDEX CODE: a machine could not be reached, or was lost.
      missed() {
        rank=0
        while [ "$rank" -lt "$ranks" ]; do
          if [ $((rank / each %% count)) -eq "$1" ] && [ ! -s "$run/$rank.end" ]; then
            cat "$run/host-$1.log" >>"$run/$rank.err"
            echo "$2" >"$run/$rank.end"
          fi
          rank=$((rank + 1))
        done
      }

      overSsh() {
        exec "$remote_shell" -o BatchMode=yes -o ConnectTimeout=20 "$1" \\
          "exec /bin/sh "%6$s" host $job $2 $count watch" <&9
      }

      remote() { overSsh "$@"; }
      unique() { awk '!seen[$1]++ { print $1 }' "$1"; }
      """;

  private static final String SLURM =
      """
      job=$SLURM_JOB_ID
      if command -v srun >/dev/null; then
        srun --kill-on-bad-exit=0 --wait=0 --ntasks=%d --ntasks-per-node=%d%s \\
          --output=none --error=none /bin/sh "$run/job" jvm "$job" &
        trap 'kill -TERM "$!" 2>/dev/null' TERM INT HUP
        wait "$!"
        code=$?
      else
        spread $(scontrol show hostnames "$SLURM_JOB_NODELIST")
        code=0
      fi
      """;

  private static final String PBS =
      """
      job=$PBS_JOBID
      if command -v pbsdsh >/dev/null; then
        remote() {
          exec pbsdsh -n "$(($(grep -n -x -m 1 "$1" "$PBS_NODEFILE" | cut -d : -f 1) - 1))" \\
            /bin/sh "$run/job" host "$job" "$2" "$count"
        }
      fi
      spread $(unique "$PBS_NODEFILE")
      code=0
      """;

  /**
   * The start in Grid Engine; only qconf knows whether a parallel environment lets jobs start tasks
   * by qrsh.
   */
  private static final String GRID_ENGINE =
      """
      job=$JOB_ID
      if [ -n "${PE_HOSTFILE-}" ]; then
        if qconf -sp "$PE" 2>/dev/null | grep -q '^control_slaves *TRUE'; then
          remote() {
            exec qrsh -inherit -nostdin "$1" /bin/sh "$run/job" host "$job" "$2" "$count"
          }
        fi
        spread $(unique "$PE_HOSTFILE")
      else
        spread "$(hostname)"
      fi
      code=0
      """;

  /** The start in OAR. In a cpuset of OAR only its own ssh keeps tasks within the job. */
  private static final String OAR =
      """
      job=$OAR_JOB_ID
      if grep -q /oar /proc/self/cpuset 2>/dev/null; then
        remote_shell=oarsh
      fi
      spread $(unique "$OAR_NODE_FILE")
      code=0
      """;

  /**
   * The start in Flux, which runs the script in an instance of its own on the job's machines. That
   * instance ends all tasks when the script ends.
   */
  private static final String FLUX =
      """
      job=$(flux getattr jobid)
      flux run --nodes=%d --ntasks=%d%s -o exit-timeout=none \\
        /bin/sh -c 'exec /bin/sh "$0" jvm "$1" "$FLUX_TASK_RANK"' "$run/job" "$job" </dev/null &
      child=$!
      trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
      wait "$child"
      code=$?
      while kill -0 "$child" 2>/dev/null; do
        wait "$child"
        code=$?
      done
      """;

  /**
   * The start in HTCondor, which runs the script once for each machine, with the number of the job
   * and the index of the machine. If a machine has evicted a job, another one starts it again, and
   * its nodes would come back under names of dead ones. Machines begin at different times, so the
   * last one that ends removes the settings. Sites and older versions may set no home directory.
   */
  private static final String HTCONDOR =
      """
      job=$1
      [ -n "${HOME-}" ] || export HOME="$(getent passwd "$(id -u)" | cut -d : -f 6)"
      mkdir "$run/machine-$2" || {
        [ ! -d "$run/machine-$2" ] || echo "the job was evicted, and its nodes are lost" >&2
        exit 1
      }
      export TROUPE_JOB="$job"
      host "$2" %d
      for end in "$run"/*.end; do
        [ -s "$end" ] || exit 0
      done
      code=0
      """;

  /**
   * The start in LSF, which may run a job again after the loss of a machine, or at the request of a
   * user. Only LSF itself has blaunch, whose tasks belong to the job. At the time limit all
   * processes get SIGUSR2, of which JVMs take no notice, and some minutes later SIGKILL; so the
   * first shell asks the JVMs to end, and the others ignore the signal.
   */
  private static final String LSF =
      """
      job=$LSB_JOBID
      mkdir "$run/begun" || {
        [ ! -d "$run/begun" ] || echo "LSF has started the job again, and its nodes are lost" >&2
        exit 1
      }
      if command -v blaunch >/dev/null; then
        remote() {
          exec blaunch -n "$1" /bin/sh "$run/job" host "$job" "$2" "$count"
        }
      fi
      code=0
      trap '' USR2
      spread $(echo "$LSB_MCPU_HOSTS" |
        awk '{ for (i = 1; i < NF; i += 2) if (!seen[$i]++) print $i }')
      """;

  /** The start behind a DRMAA library, which may be that of a batch system known above. */
  private static final String ANY =
      """
      if [ -n "${SLURM_JOB_ID-}" ]; then
        job=$SLURM_JOB_ID
        spread $(scontrol show hostnames "$SLURM_JOB_NODELIST")
        code=0
      elif [ -n "${PBS_NODEFILE-}" ]; then
      %s
      else
      %s
      fi
      """
          .formatted(PBS.stripTrailing(), GRID_ENGINE.stripTrailing());

  /**
   * The end of the script. It removes the folder of a job that has outlived its launcher, after a
   * pause for a launcher that is still alive.
   */
  private static final String END =
      """
      rm -f "$run/%s" "$run/hold"
      orphaned=
      for end in "$run"/*.end; do
        case $(cat "$end") in
          %d) orphaned=yes ;;
          *) orphaned=; break ;;
        esac
      done
      if [ -n "$orphaned" ]; then
        sleep 2
        rm -rf "$run"
      fi
      exit "$code"
      """
          .formatted(SETTINGS, NodeMain.ORPHANED);

  /**
   * Defines the command {@code module} where the shell of jobs has none: it is a function, which sh
   * does not inherit on many systems.
   */
  private static final String MODULES =
      """
      if ! command -v module >/dev/null; then
        for file in "${LMOD_PKG-}/init/sh" "${MODULESHOME-}/init/sh" /etc/profile.d/modules.sh \\
          /etc/profile.d/lmod.sh /usr/share/modules/init/sh /usr/share/lmod/lmod/init/sh; do
          if [ -r "$file" ]; then
            . "$file"
            break
          fi
        done
      fi
      """;

  private JobScript() {}

  /**
   * Returns the script.
   *
   * @param run the run folder; absolute
   * @param command that starts a node's JVM; the settings file and the rank are added
   */
  public static String of(BatchJvms element, String run, List<String> command) {
    var jvms = element.nodes() * element.jvmsPerNode();
    return COMMON.formatted(
            jvms,
            element.id(),
            ShellLine.quoted(run),
            element.jvmsPerNode(),
            String.join("\n    ", start(element, run, command)),
            ShellLine.quoted(ShellLine.quoted(run + "/job")))
        + "\n"
        + body(element, jvms)
        + END;
  }

  /**
   * Returns the lines that start a JVM; they change the folder, since batch systems start jobs and
   * tasks in various folders.
   */
  private static List<String> start(BatchJvms element, String run, List<String> command) {
    var lines = new ArrayList<String>();
    lines.add("cd || exit");
    element
        .workingDirectory()
        .map(ShellLine::fromHome)
        .ifPresent(folder -> lines.add("cd " + ShellLine.quoted(folder) + " || exit"));
    element
        .jvm()
        .environment()
        .forEach((name, value) -> lines.add("export " + name + "=" + ShellLine.quoted(value)));
    if (!element.prologue().isEmpty()) {
      MODULES.lines().forEach(lines::add);
    }
    for (var commands : element.prologue()) {
      // A mistake in the commands must not reach the rest of the script.
      lines.add("eval " + ShellLine.quoted(commands) + " || {");
      lines.add("  code=$?");
      lines.add("  echo " + ShellLine.quoted(failed(commands)) + " >&2");
      lines.add("  exit \"$code\"");
      lines.add("}");
    }
    lines.add(
        "exec "
            + command.stream().map(ShellLine::quoted).collect(joining(" "))
            + " "
            + ShellLine.quoted(run + "/" + SETTINGS)
            + " \"$troupe_rank\"");
    return lines;
  }

  private static String failed(String commands) {
    return "the prologue '" + commands + "' failed";
  }

  private static String body(BatchJvms element, int jvms) {
    return switch (element.scheduler()) {
      case Slurm slurm ->
          SLURM.formatted(
              jvms, element.jvmsPerNode(), cpus(element, " --cpus-per-task=", "--cpus-per-task"));
      case Pbs pbs -> PBS;
      case GridEngine gridEngine -> GRID_ENGINE;
      case Oar oar -> OAR;
      case Flux flux ->
          FLUX.formatted(
              element.nodes(), jvms, cpus(element, " --cores-per-task=", "--cores-per-slot"));
      case Htcondor htcondor -> HTCONDOR.formatted(element.nodes());
      case Lsf lsf -> LSF;
      case Drmaa drmaa -> ANY;
    };
  }

  /**
   * Returns the option that binds a task to its CPUs; empty if the job has not asked for them.
   *
   * @param request that the job has made of the batch system, unless the element skips it
   */
  private static String cpus(BatchJvms element, String option, String request) {
    return element.cpusPerJvm().isEmpty() || element.skip().contains(request)
        ? ""
        : option + element.cpusPerJvm().getAsInt();
  }
}
