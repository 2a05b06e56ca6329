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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.node.NodeSettings;
import org.troupe.deployment.process.DeferredProcess;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.ssh.LoginTerminal;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.deployment.tree.BranchMachine;
import org.troupe.deployment.tree.LaunchTree;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.SshJvms;
import org.troupe.links.Address;

/** Starts JVMs on machines over ssh. */
public final class SshLauncher implements Launcher {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** A system property for tests, which have few hosts. */
  public static final String FAN_OUT = "troupe.ssh.fanOut";

  private final SshJvms element;
  private final List<String> virtualNodes;
  private final MachineRegistry machines;
  private final Map<String, Login> logins = // by the name of the node
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final JavaCommand java;
  private final FirstCommand firstCommand;
  private final int elementNodes;
  private final LaunchTree tree;
  private final Map<String, Route> routes = new ConcurrentHashMap<>(); // by the name of the node

  public SshLauncher(SshJvms element, List<String> virtualNodes, MachineRegistry machines) {
    this(element, virtualNodes, machines, Integer.getInteger(FAN_OUT, LaunchTree.FAN_OUT));
  }

  /**
   * @param fanOut the number of hosts on which the launcher itself starts nodes, and the least
   *     number of hosts for which a node starts others
   */
  public SshLauncher(
      SshJvms element, List<String> virtualNodes, MachineRegistry machines, int fanOut) {
    this.element = element;
    tree = new LaunchTree(fanOut, machines.keys());
    this.virtualNodes = virtualNodes;
    this.machines = machines;
    java = new JavaCommand(element.jvm(), machines.run());
    firstCommand = new FirstCommand(this, java);
    for (var host : element.hosts()) {
      for (var i = 0; i < element.jvms(); i++) {
        logins.put(element.id() + "-" + (logins.size() + 1), host);
      }
    }
    elementNodes = logins.size();
    // Register them now: a node may join or end before the nodes that it is to start are started.
    IntStream.range(0, element.hosts().size())
        .mapToObj(this::starter)
        .flatMap(Optional::stream)
        .forEach(tree::expect);
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
          new SourceProblem(
                  element.place(), String.valueOf(e.getMessage()), "see the ssh configuration")
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

  /** Deals the nodes out to the hosts in turns. */
  @Override
  public List<PlannedNode> more(int planned, int count) {
    var command = plannedCommand();
    var more = new ArrayList<PlannedNode>();
    for (var i = planned; i < planned + count; i++) {
      var name = element.id() + "-" + (i + 1);
      var host = element.hosts().get((i - elementNodes) % element.hosts().size());
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

  /** Describes the launch tree, if there is one. */
  @Override
  public String preparation() {
    var hosts = element.hosts().size();
    var own = (int) IntStream.range(0, hosts).filter(i -> tree.parent(i).isEmpty()).count();
    return own == hosts
        ? ""
        : "%s is started as a tree: this program starts the nodes of the first %d of %d hosts; once they have joined, they start the nodes of the other hosts, for which they request signatures by your keys from this program"
            .formatted(element.id(), own, hosts);
  }

  @Override
  public List<JobStatus> jobs() {
    return List.of(
        JobStatus.of(
            element.id(),
            "ssh",
            firstCommand.get(),
            element.hosts().size(),
            logins.size(),
            machines.staging().copied(element.jvm())));
  }

  @Override
  public void joined(Node node) {
    tree.joined(node);
  }

  @Override
  public StartedProcess start(PlannedNode node) {
    var route = new Route(node, starter(host(node)));
    routes.put(node.name(), route);
    var process = new DeferredProcess(node.name(), route);
    process.onExit().thenRun(() -> tree.ended(node.name()));
    return process;
  }

  private Login login(String node) {
    return Objects.requireNonNull(logins.get(node), node);
  }

  /** Returns the node that starts the nodes of a host: the first node of the parent host. */
  private Optional<String> starter(int host) {
    if (host < 0 || tree.parent(host).isEmpty()) {
      return Optional.empty();
    }
    var starting = tree.parent(host).getAsInt();
    return Optional.of(element.id() + "-" + (starting * element.jvms() + 1));
  }

  /** Returns the index of a node's host in the element; -1 for a node added later. */
  private int host(PlannedNode node) {
    var number = Integer.parseInt(node.name().substring(element.id().length() + 1)) - 1;
    return number < elementNodes ? number / element.jvms() : -1;
  }

  /** The start of a node: by the launcher, or by another node. */
  private final class Route implements DeferredProcess.Start {

    private final PlannedNode node;
    private final Optional<String> starter;
    private volatile @Nullable BranchMachine branch; // null if the launcher starts it
    private volatile @Nullable InetSocketAddress tunnel; // null if there is none

    Route(PlannedNode node, Optional<String> starter) {
      this.node = node;
      this.starter = starter;
    }

    @Override
    public StartedProcess start(BooleanSupplier isGivenUp) throws IOException {
      var process = started(isGivenUp);
      tree.started(node.name());
      return process;
    }

    private StartedProcess started(BooleanSupplier isGivenUp) throws IOException {
      if (starter.isPresent()) {
        try {
          return startBranched(starter.get());
        } catch (IOException e) {
          branch = null;
          if (isGivenUp.getAsBoolean()) { // the starting node has been asked to end, too
            throw e;
          }
          LOG.log(Level.INFO, "{0} is started by the launcher: {1}", node.name(), e.getMessage());
        }
      }
      var machine = machines.of(login(node.name()));
      return machine.start(
          command(machine), element.jvm().environment(), element.workingDirectory());
    }

    private StartedProcess startBranched(String starter) throws IOException {
      var login = machines.host(login(node.name()));
      if (!login.via().equals(machines.host(login(starter)).via())) {
        throw new IOException("the two hosts are not behind the same gateway");
      }
      var machine = tree.machine(host(node), login, starter);
      branch = machine;
      machine.beginStart();
      try {
        return machine.start(
            command(machine),
            element.jvm().environment(),
            element.workingDirectory(),
            () -> tree.hasJoined(node.name()));
      } finally {
        machine.endStart();
      }
    }

    private List<String> command(Machine machine) throws IOException {
      return java.on(machines.staging().on(machine, element.jvm()));
    }

    /**
     * Adds a tunnel through the ssh connection, which is the node's last route to the coordinator.
     */
    @Override
    public NodeSettings fitted(NodeSettings settings) {
      var fitted = branch == null ? settings : settings.startedBy(starter.orElseThrow());
      try {
        var coordinator = Address.parse(GridMember.address(settings.contact()));
        var port = forward(coordinator);
        tunnel = new InetSocketAddress("127.0.0.1", port);
        return fitted.withContact(
            GridMember.contact(
                settings.contact(),
                address -> Address.parse(address).withTunnel("127.0.0.1", port).toString()));
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "no tunnel for nodes there; they depend on other routes", e);
        return fitted;
      }
    }

    /**
     * Opens the tunnel; one from a branch leads to the beginning of the branch's own tunnel, if it
     * has one.
     */
    private int forward(Address coordinator) throws IOException {
      if (branch == null) {
        return machines
            .of(login(node.name()))
            .forward(new InetSocketAddress("127.0.0.1", coordinator.port()));
      }
      var through = Objects.requireNonNull(routes.get(starter.orElseThrow())).tunnel;
      return branch.forward(
          through == null
              ? InetSocketAddress.createUnresolved(coordinator.host(), coordinator.port())
              : through);
    }

    @Override
    public String progress() {
      return starter.isPresent() && branch == null && !tree.hasJoined(starter.get())
          ? "waiting for '" + starter.get() + "' to join, which is to start it"
          : LoginTerminal.isInUse()
              ? "waiting for an answer to ssh on the terminal"
              : "being started over ssh";
    }
  }
}
