package org.troupe.deployment.kubernetes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    var answer = ask(arguments, input);
    if (answer.exitCode() != 0) {
      throw new IOException(
          answer.message().isEmpty()
              ? "kubectl gave exit code " + answer.exitCode()
              : answer.message());
    }
    return answer.output();
  }

  String run(String... arguments) throws IOException {
    return run(List.of(arguments), new byte[0]);
  }

  /** Starts a command that goes on, or whose streams the caller uses. */
  StartedProcess start(List<String> arguments) throws IOException {
    return machine.start(command(context, namespace, arguments), Map.of(), Optional.empty());
  }
}
