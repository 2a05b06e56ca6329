package org.troupe.deployment.site;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.CommandRunner;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.site.SiteFacts.Scheduler;
import org.troupe.descriptors.Login;

/** Asks the front end of a site what it offers. Starts no node, and submits no job. */
public final class SiteSurvey {

  /*
   * One script, for any POSIX shell, prints facts about the machine. It looks for commands where jobs will be submitted,
   * in a shell that is not a login shell, and for modules in a login shell, which alone defines that command. Whether the
   * machine can connect to this one is tried with a port that never accepts: the kernel completes the connection.
   */
  private static final String EXAMINATION =
      """
      port=$1; addresses=$2
      echo "system $(uname -sm)"
      for program in sbatch qconf qsub bsub condor_submit flux oarsub; do
        if command -v "$program" >/dev/null; then
          echo "has $program"
        elif [ -n "$(sh -lc "command -v $program" 2>/dev/null </dev/null)" ]; then
          echo "hides $program"
        fi
      done
      for java in "${JAVA_HOME-}/bin/java" "$(command -v java)" /usr/lib/jvm/*/bin/java; do
        if [ -x "$java" ]; then
          echo "java $("$java" -version 2>&1 | sed -n '1s/.*"\\(.*\\)".*/\\1/p') $java"
        fi
      done
      sh -lc 'module -t avail' </dev/null 2>&1 |
        grep -i -E '^[^ ]*(java|jdk)[^ :]*$' | head -n 20 | sed 's/^/module /'
      for folder in "${SCRATCH-}" "${WORK-}" "/scratch/$(id -un)" /scratch "/work/$(id -un)" "$HOME"; do
        if [ -d "$folder" ] && [ -w "$folder" ]; then
          echo "scratch $(df -Pk "$folder" | awk 'NR == 2 { print int($4 / 1048576) }') $folder"
        fi
      done
      for address in $addresses; do
        if command -v bash >/dev/null && command -v timeout >/dev/null &&
          timeout 3 bash -c ": </dev/tcp/$address/$port" 2>/dev/null; then
          echo "dials $address"
        fi
      done
      exit 0
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A command that submits jobs, or tells one batch system from another. */
  private record Submission(String command, Scheduler scheduler) {}

  /** In this order, since Grid Engine has a qsub, too, and a Slurm may run instances of Flux. */
  private static final List<Submission> SCHEDULERS =
      List.of(
          new Submission("sbatch", Scheduler.SLURM),
          new Submission("qconf", Scheduler.GRID_ENGINE),
          new Submission("qsub", Scheduler.PBS),
          new Submission("oarsub", Scheduler.OAR),
          new Submission("flux", Scheduler.FLUX),
          new Submission("condor_submit", Scheduler.HTCONDOR),
          new Submission("bsub", Scheduler.LSF));

  private SiteSurvey() {}

  /**
   * Asks a front end, over one login; takes some seconds.
   *
   * @throws IOException if the login fails; the message has the reason and the remedy
   */
  public static SiteFacts ask(Login login) throws IOException {
    try (var machines = new MachineRegistry("");
        var port = new ServerSocket(0)) {
      var commands = new MachineCommands(machines.of(login), PATIENCE);
      return ask(login.host(), commands, port.getLocalPort(), addresses(), Instant.now());
    }
  }

  static SiteFacts ask(
      String host, CommandRunner commands, int port, List<String> addresses, Instant now)
      throws IOException {
    var machine =
        Answers.of(
            commands
                .run(
                    List.of(
                        "/bin/sh",
                        "-c",
                        EXAMINATION,
                        "sh",
                        Integer.toString(port),
                        String.join(" ", addresses)))
                .output());
    var remarks = new ArrayList<String>(machine.remarks());
    var scheduler = machine.scheduler();
    var found =
        switch (scheduler) {
          case SLURM -> Optional.of(new SlurmSurvey().ask(commands));
          case PBS -> Optional.of(new PbsSurvey().ask(commands));
          case GRID_ENGINE -> Optional.of(new GridEngineSurvey().ask(commands));
          case OAR -> Optional.of(new OarSurvey().ask(commands));
          case FLUX -> Optional.of(new FluxSurvey().ask(commands));
          case HTCONDOR -> Optional.of(new HtcondorSurvey().ask(commands));
          case LSF -> Optional.of(new LsfSurvey().ask(commands));
          case NONE -> Optional.<QueueSurvey.Found>empty();
        };
    found.ifPresent(each -> remarks.addAll(each.remarks()));
    return new SiteFacts(
        host,
        now.truncatedTo(ChronoUnit.SECONDS).toString(),
        machine.system(),
        scheduler,
        found.map(QueueSurvey.Found::queues).orElse(List.of()),
        found.map(QueueSurvey.Found::accounts).orElse(List.of()),
        found.map(QueueSurvey.Found::parallelEnvironments).orElse(List.of()),
        found.map(QueueSurvey.Found::hasDryRun).orElse(false),
        found.map(QueueSurvey.Found::refusals).orElse(List.of()),
        machine.java(),
        machine.modules(),
        machine.scratch(),
        machine.dialled(),
        remarks);
  }

  /** The answers of the script. */
  private record Answers(
      String system,
      List<String> commands,
      List<String> hidden,
      List<String> java,
      List<String> modules,
      List<String> scratch,
      List<String> dialled) {

    static Answers of(String said) {
      var answers =
          new Answers(
              value(said, "system").stream().findFirst().orElse(""),
              value(said, "has"),
              value(said, "hides"),
              value(said, "java"),
              value(said, "module"),
              value(said, "scratch"),
              value(said, "dials"));
      return answers;
    }

    /** Returns the values of lines that begin with a word; others are of start-up files. */
    private static List<String> value(String said, String word) {
      return said.lines()
          .filter(line -> line.startsWith(word + " "))
          .map(line -> line.substring(word.length() + 1).strip())
          .filter(value -> !value.isEmpty())
          .distinct()
          .toList();
    }

    Scheduler scheduler() {
      return SCHEDULERS.stream()
          .filter(each -> commands.contains(each.command()))
          .map(Submission::scheduler)
          .findFirst()
          .orElse(Scheduler.NONE);
    }

    List<String> remarks() {
      var remarks = new ArrayList<String>();
      if (scheduler() == Scheduler.NONE) {
        hidden.stream()
            .findFirst()
            .ifPresent(
                name ->
                    remarks.add(
                        "'%s' is on the PATH of login shells only; set the PATH in ~/.bashrc there, or in what all shells read, and ask again"
                            .formatted(name)));
      }
      return remarks;
    }
  }

  /** Returns the addresses of this machine that others might connect to. */
  private static List<String> addresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
          .map(InetAddress::getHostAddress)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }
}
