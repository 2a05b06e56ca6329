package org.troupe.deployment;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.activeobjects.spi.NodeHost;
import org.troupe.deployment.internal.NodeSettings;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Problem;
import org.troupe.descriptors.Ssh;
import org.troupe.links.Address;

/** Starts JVMs on machines that are reached over ssh. */
final class SshLauncher implements Launcher {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final Ssh element;
  private final List<String> virtualNodes;
  private final Machines machines;
  private final Map<String, Login> logins = // by the name of the node
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final int usual;

  SshLauncher(Ssh element, List<String> virtualNodes, Machines machines) {
    this.element = element;
    this.virtualNodes = virtualNodes;
    this.machines = machines;
    for (var host : element.hosts()) {
      for (var i = 0; i < element.jvms(); i++) {
        logins.put(element.id() + "-" + (logins.size() + 1), host);
      }
    }
    usual = logins.size();
  }

  @Override
  public List<String> problems() {
    var problems = new ArrayList<>(JavaCommand.classPathProblems(element.jvm()));
    logins.values().stream()
        .flatMap(login -> login.identity().stream())
        .distinct()
        .filter(identity -> !Files.isReadable(identity))
        .map(
            identity ->
                new Problem(
                    element.place(),
                    "the identity '" + identity + "' is not there, or cannot be read",
                    "make it by ssh-keygen, or correct the path"))
        .map(Problem::toString)
        .forEach(problems::add);
    try {
      for (var login : logins.values()) {
        machines.describe(login);
      }
    } catch (IOException e) {
      problems.add(
          new Problem(element.place(), e.getMessage(), "see the ssh configuration").toString());
    }
    return problems;
  }

  @Override
  public List<PlannedNode> nodes() {
    var command = plannedCommand();
    return logins.entrySet().stream()
        .map(node -> node(node.getKey(), node.getValue(), command))
        .toList();
  }

  /** The hosts take turns, from the first. */
  @Override
  public List<PlannedNode> more(int planned, int count) {
    var command = plannedCommand();
    var more = new ArrayList<PlannedNode>();
    for (var i = planned; i < planned + count; i++) {
      var name = element.id() + "-" + (i + 1);
      var host = element.hosts().get((i - usual) % element.hosts().size());
      logins.put(name, host);
      more.add(node(name, host, command));
    }
    return more;
  }

  /** Its command is the one that a user could type for the same. */
  private PlannedNode node(String name, Login login, List<String> command) {
    var line = new ArrayList<String>();
    line.addAll(ssh(login));
    line.add(ShellLine.plain(command, element.jvm().environment(), element.workingDirectory()));
    return new PlannedNode(
        name, virtualNodes, login.host(), line, Map.of(), Optional.empty(), element.place());
  }

  private List<String> plannedCommand() {
    try {
      return JavaCommand.of(
          element.jvm(), machines.run(), machines.staging().planned(element.jvm()));
    } catch (IOException e) {
      return List.of("java"); // one of the problems
    }
  }

  private List<String> ssh(Login login) {
    try {
      return machines.describe(login);
    } catch (IOException e) {
      return List.of("ssh", login.host()); // one of the problems
    }
  }

  @Override
  public Process start(PlannedNode node) {
    return new LateProcess(
        node.name(),
        () -> startThere(node),
        settings -> withTunnel(machines.of(logins.get(node.name())), settings));
  }

  /** The connection is the node's last way to the coordinator, where no network is one. */
  private static NodeSettings withTunnel(SshMachine machine, NodeSettings settings) {
    try {
      var coordinator = Address.parse(NodeHost.address(settings.contact()));
      var port = machine.forward(new InetSocketAddress("127.0.0.1", coordinator.port()));
      return settings.withContact(
          NodeHost.contact(
              settings.contact(),
              address -> Address.parse(address).withTunnel("127.0.0.1", port).toString()));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "nodes there have to find another way", e);
      return settings;
    }
  }

  private Process startThere(PlannedNode node) throws IOException {
    var machine = machines.of(logins.get(node.name()));
    var installation = machines.staging().on(machine, element.jvm());
    return machine.start(
        JavaCommand.of(element.jvm(), machines.run(), installation),
        element.jvm().environment(),
        element.workingDirectory());
  }
}
