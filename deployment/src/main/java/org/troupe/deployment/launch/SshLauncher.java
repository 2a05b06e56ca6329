package org.troupe.deployment.launch;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.node.NodeSettings;
import org.troupe.deployment.process.DeferredProcess;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.deployment.tree.BranchMachine;
import org.troupe.deployment.tree.LaunchTree;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.SshJvms;
import org.troupe.links.Address;

/** Starts JVMs on machines that are reached over ssh. */
public final class SshLauncher implements Launcher {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** For tests, which have few hosts. */
  public static final String FAN_OUT = "troupe.ssh.fanOut";

  private final SshJvms element;
  private final List<String> virtualNodes;
  private final MachineRegistry machines;
  private final Map<String, Login> logins = // by the name of the node
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final JavaCommand java;
  private final int usual;
  private final LaunchTree branches;
  private final Map<String, Route> routes = new ConcurrentHashMap<>(); // by the name of the node

  public SshLauncher(SshJvms element, List<String> virtualNodes, MachineRegistry machines) {
    this(element, virtualNodes, machines, Integer.getInteger(FAN_OUT, LaunchTree.FAN_OUT));
  }

  /**
   * @param fanOut how many hosts are started from one place at least
   */
  public SshLauncher(
      SshJvms element, List<String> virtualNodes, MachineRegistry machines, int fanOut) {
    this.element = element;
    branches = new LaunchTree(fanOut, machines.keys());
    this.virtualNodes = virtualNodes;
    this.machines = machines;
    java = new JavaCommand(element.jvm(), machines.run());
    for (var host : element.hosts()) {
      for (var i = 0; i < element.jvms(); i++) {
        logins.put(element.id() + "-" + (logins.size() + 1), host);
      }
    }
    usual = logins.size();
    // Now: a node may end, or join, before those are started that it is to start.
    IntStream.range(0, element.hosts().size())
        .mapToObj(this::starter)
        .flatMap(Optional::stream)
        .forEach(branches::expect);
  }

  @Override
  public List<String> problems() {
    var problems = new ArrayList<>(java.classPathProblems());
    logins.values().stream()
        .flatMap(login -> login.identity().stream())
        .distinct()
        .filter(identity -> !Files.isReadable(identity))
        .map(
            identity ->
                new SourceProblem(
                    element.place(),
                    "the identity '" + identity + "' is not there, or cannot be read",
                    "make it by ssh-keygen, or correct the path"))
        .map(SourceProblem::toString)
        .forEach(problems::add);
    try {
      for (var login : logins.values()) {
        machines.describe(login);
      }
    } catch (IOException e) {
      problems.add(
          new SourceProblem(element.place(), e.getMessage(), "see the ssh configuration")
              .toString());
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

  private PlannedNode node(String name, Login login, List<String> command) {
    var line = new ArrayList<String>();
    line.addAll(ssh(login));
    line.add(ShellLine.plain(command, element.jvm().environment(), element.workingDirectory()));
    return new PlannedNode(name, virtualNodes, login.host(), ShellLine.of(line), element.place());
  }

  private List<String> plannedCommand() {
    try {
      return java.on(machines.staging().planned(element.jvm()));
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

  /** Says who starts whom, where that is not the launcher. */
  @Override
  public String preparation() {
    var hosts = element.hosts().size();
    var own = (int) IntStream.range(0, hosts).filter(i -> branches.parent(i).isEmpty()).count();
    return own == hosts
        ? ""
        : "%s is started as a tree: this program starts the nodes of the first %d of %d hosts, and these, once they have joined, those of the others, with signatures by your keys that they ask this program for"
            .formatted(element.id(), own, hosts);
  }

  @Override
  public void joined(Node node) {
    branches.joined(node);
  }

  @Override
  public StartedProcess start(PlannedNode node) {
    var route = new Route(node, starter(host(node)));
    routes.put(node.name(), route);
    var process = new DeferredProcess(node.name(), route);
    process.onExit().thenRun(() -> branches.ended(node.name()));
    return process;
  }

  /** Returns the node that starts those of a host; of hosts with several it is the first. */
  private Optional<String> starter(int host) {
    if (host < 0 || branches.parent(host).isEmpty()) {
      return Optional.empty();
    }
    var starting = branches.parent(host).getAsInt();
    return Optional.of(element.id() + "-" + (starting * element.jvms() + 1));
  }

  /** Returns the index of a node's host in the element; -1 for a node added later. */
  private int host(PlannedNode node) {
    var number = Integer.parseInt(node.name().substring(element.id().length() + 1)) - 1;
    return number < usual ? number / element.jvms() : -1;
  }

  /** How a node is started, and from where. */
  private final class Route implements DeferredProcess.Start {

    private final PlannedNode node;
    private final Optional<String> starter;
    private volatile BranchMachine branched; // null if the launcher starts it
    private volatile InetSocketAddress tunnel; // null if there is none

    Route(PlannedNode node, Optional<String> starter) {
      this.node = node;
      this.starter = starter;
    }

    @Override
    public StartedProcess start(BooleanSupplier isGivenUp) throws IOException {
      var process = started(isGivenUp);
      branches.started(node.name());
      return process;
    }

    private StartedProcess started(BooleanSupplier isGivenUp) throws IOException {
      if (starter.isPresent()) {
        try {
          return startBranched(starter.get());
        } catch (IOException e) {
          branched = null;
          if (isGivenUp.getAsBoolean()) { // its starter has been told to end, too
            throw e;
          }
          LOG.log(Level.INFO, "{0} is started from here: {1}", node.name(), e.getMessage());
        }
      }
      var machine = machines.of(logins.get(node.name()));
      return machine.start(
          command(machine), element.jvm().environment(), element.workingDirectory());
    }

    private StartedProcess startBranched(String starter) throws IOException {
      var login = machines.host(logins.get(node.name()));
      if (!login.via().equals(machines.host(logins.get(starter)).via())) {
        throw new IOException("the two are not reached through the same gateway");
      }
      var machine = branches.machine(host(node), login, starter);
      branched = machine;
      machine.beginStart();
      try {
        return machine.start(
            command(machine),
            element.jvm().environment(),
            element.workingDirectory(),
            () -> branches.hasJoined(node.name()));
      } finally {
        machine.endStart();
      }
    }

    private List<String> command(Machine machine) throws IOException {
      return java.on(machines.staging().on(machine, element.jvm()));
    }

    /** The connection is the node's last way to the coordinator, where no network is one. */
    @Override
    public NodeSettings fitted(NodeSettings settings) {
      var fitted = branched == null ? settings : settings.startedBy(starter.orElseThrow());
      try {
        var coordinator = Address.parse(GridMember.address(settings.contact()));
        var port = forward(coordinator);
        tunnel = new InetSocketAddress("127.0.0.1", port);
        return fitted.withContact(
            GridMember.contact(
                settings.contact(),
                address -> Address.parse(address).withTunnel("127.0.0.1", port).toString()));
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "nodes there have to find another way", e);
        return fitted;
      }
    }

    /** From a branch it leads where that one's own tunnel begins, if it has one. */
    private int forward(Address coordinator) throws IOException {
      if (branched == null) {
        return machines
            .of(logins.get(node.name()))
            .forward(new InetSocketAddress("127.0.0.1", coordinator.port()));
      }
      var through = routes.get(starter.orElseThrow()).tunnel;
      return branched.forward(
          through == null
              ? InetSocketAddress.createUnresolved(coordinator.host(), coordinator.port())
              : through);
    }

    @Override
    public String progress() {
      return starter.isPresent() && branched == null && !branches.hasJoined(starter.get())
          ? "waiting for '" + starter.get() + "' to join, which is to start it"
          : "being brought to its machine over ssh";
    }
  }
}
