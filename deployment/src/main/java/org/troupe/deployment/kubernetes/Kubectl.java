package org.troupe.deployment.kubernetes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.deployment.process.CommandRunner.Answer;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.Login;

/** The command {@code kubectl} of a machine, for one context and namespace. Thread-safe. */
public final class Kubectl {

  /**
   * The time limit of a command; those that wait for the cluster have shorter ones of their own.
   */
  private static final Duration LONGEST_COMMAND = Duration.ofSeconds(60);

  /** A line of kubectl's own log, which repeats each attempt in the form of klog. */
  private static final Pattern LOG_LINE = Pattern.compile("[IWEF]\\d{4} \\d\\d:\\d\\d:.*");

  /**
   * Writes the first bytes of its input to a file, whose name it appends to a command, and passes
   * the rest to that command.
   */
  private static final String WITH_FILE =
      """
      umask 077
      file=$(mktemp) || exit
      trap 'rm -f "$file"' EXIT
      trap 'exit 143' HUP INT TERM
      dd bs=1 count="$1" of="$file" 2>/dev/null || exit
      option=$2; shift 2
      "$@" "$option=$file"
      """;

  private final Machine machine;
  private final Optional<String> context;
  private final Optional<String> namespace;

  /**
   * @param machine that has the command and its configuration
   */
  public Kubectl(Machine machine, Optional<String> context, Optional<String> namespace) {
    this.machine = machine;
    this.context = context;
    this.namespace = namespace;
  }

  static Kubectl of(KubernetesJvms element, Machine machine) {
    return new Kubectl(machine, element.context(), element.namespace());
  }

  /** Returns the name of a cluster, for users. */
  public static String cluster(Optional<String> context, Optional<Login> via) {
    return "Kubernetes"
        + context.map(name -> " '" + name + "'").orElse("")
        + via.map(login -> " at " + login.host()).orElse("");
  }

  /** Returns the command with these arguments. */
  static List<String> command(
      Optional<String> context, Optional<String> namespace, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add("kubectl");
    context.ifPresent(name -> command.add("--context=" + name));
    namespace.ifPresent(name -> command.add("--namespace=" + name));
    command.addAll(arguments);
    return command;
  }

  /** Runs a command to its end; any exit code is accepted. */
  public Answer ask(List<String> arguments) throws IOException {
    return ask(arguments, new byte[0]);
  }

  private Answer ask(List<String> arguments, byte[] input) throws IOException {
    return new MachineCommands(machine, LONGEST_COMMAND)
        .run(command(context, namespace, arguments), input);
  }

  /**
   * Runs a command, and returns its output.
   *
   * @param input its standard input
   * @throws IOException if it fails; the message is that of the command
   */
  String run(List<String> arguments, byte[] input) throws IOException {
    return output(ask(arguments, input));
  }

  /**
   * Runs a command that needs a file besides its input. No part of the file is on a command line,
   * which other users of the machine may see; the file is readable by its owner only, and is
   * removed.
   *
   * @param option the option that gets the name of the file
   * @throws IOException if it fails; the message is that of the command
   */
  String runWithFile(List<String> arguments, String option, byte[] file, byte[] input)
      throws IOException {
    var words = new ArrayList<>(List.of("/bin/sh", "-c", WITH_FILE, "sh"));
    words.add(Integer.toString(file.length));
    words.add(option);
    words.addAll(command(context, namespace, arguments));
    var both = Arrays.copyOf(file, file.length + input.length);
    System.arraycopy(input, 0, both, file.length, input.length);
    return output(new MachineCommands(machine, LONGEST_COMMAND).run(words, both));
  }

  private static String output(Answer answer) throws IOException {
    if (answer.exitCode() != 0) {
      throw new IOException(reason(answer));
    }
    return answer.output();
  }

  /** Returns the reason of a failure on one line, without the output and the log of kubectl. */
  private static String reason(Answer answer) {
    var lines = answer.errorOutput().lines().map(String::strip).filter(line -> !line.isEmpty());
    var reasons = lines.filter(line -> !LOG_LINE.matcher(line).matches()).toList();
    if (!reasons.isEmpty()) {
      return String.join("; ", reasons);
    }
    return answer
        .errorOutput()
        .strip()
        .lines()
        .reduce((_, last) -> last)
        .orElse("kubectl gave exit code " + answer.exitCode());
  }

  String run(String... arguments) throws IOException {
    return run(List.of(arguments), new byte[0]);
  }

  /** Starts a command that goes on, or whose streams the caller uses. */
  StartedProcess start(List<String> arguments) throws IOException {
    return machine.start(command(context, namespace, arguments), Map.of(), Optional.empty());
  }
}
