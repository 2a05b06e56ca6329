package org.troupe.deployment;

import java.io.IOException;
import java.lang.StackWalker.Option;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.launch.Launcher;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.model.Distance;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.node.NodeMain;
import org.troupe.deployment.node.NodeSettings;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.runs.ControlServer;
import org.troupe.deployment.runs.ControlledGrid;
import org.troupe.deployment.runs.GridController;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.deployment.staging.ProgramFiles;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.futures.FutureRuntime;
import org.troupe.links.Secret;

/**
 * The nodes that a descriptor asks for, from their start to their end.
 *
 * {@snippet file="org/troupe/deployment/snippets/DeploymentSnippets.java" region="deploy"}
 *
 * <p>No node outlives its grid: nodes end when it is closed, when this program ends, however it
 * does, and when it is killed. A program may have several grids. May be shared between threads.
 */
public final class Grid implements AutoCloseable {

  /*
   * The JVMs are started before this JVM's own part in the grid is open, and boot meanwhile; then each gets its
   * settings over its standard input. A node's process is the truth about the node: when it ends the node is dead,
   * and when the node is declared dead its process is killed, so that it cannot come back.
   */
  private static final Duration LOCAL_START = Duration.ofMinutes(2);

  /** How long the nodes may take to end by themselves, and after that to be killed. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** How long one-way calls may take to be served before the nodes end. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private final Descriptor descriptor;
  private final MachineRegistry machines;
  private final NodeSupply supply;
  private final Consumer<OutputLine> output;
  private final Function<NodeProcess, NodeSettings> settings;
  private final List<NodeProcess> running = new CopyOnWriteArrayList<>();
  private final Map<String, NodeProcess> byName = new ConcurrentHashMap<>();
  private final Map<String, Launcher> launchers = new ConcurrentHashMap<>(); // by node
  private final Map<String, CompletableFuture<Void>> ends = new ConcurrentHashMap<>(); // told
  private final Set<String> leaving = ConcurrentHashMap.newKeySet(); // by name
  private final DistanceMeter distances = new DistanceMeter(this::nodes);
  private volatile GridMember host; // null while starting
  private volatile ControlServer control; // null while starting, or if there is no socket
  private final ReentrantLock closing = new ReentrantLock();
  private final Thread hook;
  private volatile boolean ending;

  /**
   * Starts the nodes of a descriptor, with the usual options.
   *
   * @see #deploy(Descriptor, GridOptions)
   */
  public static Grid deploy(Path descriptor) {
    return deploy(descriptor, GridOptions.standard());
  }

  /**
   * Starts the nodes of a descriptor.
   *
   * @throws org.troupe.descriptors.DescriptorException with every problem of the descriptor
   * @see #deploy(Descriptor, GridOptions)
   */
  public static Grid deploy(Path descriptor, GridOptions options) {
    return deploy(DescriptorReader.read(descriptor, options.variables()), options);
  }

  /**
   * Starts the nodes of a descriptor and returns without waiting for them; {@link Nodes#await} of
   * {@link #nodes} waits, and fails at once when too many cannot come.
   *
   * @throws IllegalArgumentException if there is no such transport, or a system property is wrong
   * @throws DeploymentException with every problem, if something needed is not there; nothing is
   *     left running
   */
  public static Grid deploy(Descriptor descriptor, GridOptions options) {
    return new Grid(descriptor, options);
  }

  /**
   * Starts nodes on this machine, of the virtual node {@code default}, with the usual options.
   *
   * @see #local(int, GridOptions)
   */
  public static Grid local(int jvms) {
    return local(jvms, GridOptions.standard());
  }

  /**
   * Starts nodes on this machine, of the virtual node {@code default}. Waits until all are there.
   *
   * @throws IllegalArgumentException if there is no such transport, or a system property is wrong
   * @throws DeploymentException if one cannot be started; nothing is left running
   */
  public static Grid local(int jvms, GridOptions options) {
    var grid = deploy(Descriptor.local(jvms), options);
    try {
      grid.nodes().await(Nodes.all(), LOCAL_START);
      return grid;
    } catch (IllegalStateException | TimeoutException e) {
      grid.close();
      throw new DeploymentException(List.of(e.getMessage()));
    } catch (InterruptedException e) {
      grid.close();
      Thread.currentThread().interrupt();
      throw new DeploymentException(List.of("interrupted while the nodes were starting"));
    }
  }

  private Grid(Descriptor descriptor, GridOptions options) {
    this.descriptor = descriptor;
    var properties = ProgramFiles.properties(caller());
    machines =
        new MachineRegistry(
            properties.get(ProgramFiles.APPLICATION), RunJournal.create(options.jvmOptions()));
    var plan = Plan.of(descriptor, machines);
    if (!plan.problems().isEmpty()) {
      machines.run().end();
      throw new DeploymentException(plan.problems());
    }
    supply = new NodeSupply(plan);
    output = options.output();
    var secret = Secret.random().reveal();
    settings = node -> settings(node, options, secret, properties);
    hook = new Thread(this::endProcesses, "troupe-end-of-program");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      begin(plan, options, secret);
    } catch (RuntimeException | Error failure) {
      abandon();
      throw failure;
    }
  }

  /** Starts the nodes, opens this JVM's own membership meanwhile, and then admits the nodes. */
  private void begin(Plan plan, GridOptions options, String secret) {
    machines.run().begin(plan.elements(), System.getProperty(SshConfig.FILE, ""));
    var opening = CompletableFuture.supplyAsync(() -> open(options, secret), Grid::inBackground);
    var problems = start(plan.steps());
    host = opened(opening, problems);
    if (!problems.isEmpty()) {
      throw new DeploymentException(problems);
    }
    host.coordinate();
    host.onJoin(node -> launchers.get(node.name()).joined(node));
    host.nodes("").onLeaving((node, reason) -> leaving.add(node.name()));
    host.nodes("").onLeave(this::left);
    host.onSuspicion(this::inquest);
    host.provide(new Supplies());
    attend(running);
    control =
        ControlServer.open(
            new GridController(new Controlled(), host, running, options.transport()));
  }

  /** Ends whatever an unsuccessful deployment has started. */
  private void abandon() {
    running.forEach(NodeProcess::destroy);
    endProcesses();
    if (host != null) {
      host.close();
    }
    machines.close();
    forgetHook();
  }

  /** Returns the class of the program that wants the grid. */
  private static Class<?> caller() {
    return StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE)
        .walk(
            frames ->
                frames
                    .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                    .filter(type -> type != Grid.class)
                    .findFirst()
                    .orElse(Grid.class));
  }

  /** Daemon platform threads: the program's end is not to wait for them. */
  private static void inBackground(Runnable work) {
    Thread.ofPlatform().daemon().name("troupe-open").start(work);
  }

  private GridMember open(GridOptions options, String secret) {
    try {
      return GridMember.open(
          new GridMember.Settings(
              "launcher",
              List.of(),
              "localhost",
              Map.of("pid", Long.toString(ProcessHandle.current().pid())),
              options.transport(),
              new Transport.EndpointOptions(secret, ListenAddresses.ofCoordinator(descriptor)),
              options.silence()));
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private List<String> start(List<Plan.Step> steps) {
    var problems = new ArrayList<String>();
    for (var step : steps) {
      var node = step.node();
      try {
        launchers.put(node.name(), step.launcher());
        var started = new NodeProcess(node, step.start(), output);
        byName.put(node.name(), started);
        running.add(started);
        if (ending) { // the program ended meanwhile
          started.end();
        }
      } catch (IOException e) {
        problems.add(
            new SourceProblem(
                    node.place(),
                    "node '"
                        + node.name()
                        + "' on "
                        + node.host()
                        + " cannot be started: "
                        + e.getMessage(),
                    "see its command in the plan")
                .toString());
      }
    }
    return problems;
  }

  /** Tells nodes what they need to know, and waits for their ends. */
  private void attend(List<NodeProcess> nodes) {
    nodes.forEach(node -> host.expect(node.name(), node.plan().virtualNodes(), node::progress));
    nodes.forEach(node -> node.tell(settings.apply(node)));
    nodes.forEach(node -> ends.put(node.name(), node.onEnd().thenRun(() -> ended(node))));
  }

  private static GridMember opened(CompletableFuture<GridMember> opening, List<String> problems) {
    try {
      return opening.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case IOException cause ->
            problems.add("this JVM cannot take part in a grid: " + cause.getMessage());
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        default -> throw e;
      }
      throw new DeploymentException(problems);
    }
  }

  private NodeSettings settings(
      NodeProcess node, GridOptions options, String secret, Map<String, String> properties) {
    var contact = host.contact();
    return new NodeSettings(
        node.name(),
        node.plan().virtualNodes(),
        node.plan().host(),
        options.transport(),
        contact,
        secret,
        ListenAddresses.ofNode(descriptor, node.plan(), contact),
        FutureRuntime.nanos(options.silence()),
        Map.of("cluster", ListenAddresses.cluster(descriptor, node.plan()).id()),
        properties);
  }

  // What happens to nodes

  private void ended(NodeProcess node) {
    if (ending) {
      return;
    }
    if (node.isOrphan() && member(node).isEmpty()) {
      startAgain(node);
    } else {
      host.ended(node.name(), node.certificate(member(node).isPresent()));
    }
  }

  /** The node that was to start it is lost. */
  private void startAgain(NodeProcess node) {
    try {
      var process = launchers.get(node.name()).start(node.plan());
      var again = new NodeProcess(node.plan(), process, output);
      byName.put(node.name(), again);
      running.set(running.indexOf(node), again);
      attend(List.of(again));
      if (ending) { // the program ended meanwhile
        again.end();
      }
    } catch (IOException e) {
      host.ended(node.name(), e.getMessage());
    }
  }

  /** A node cannot be reached: most often its process has ended, and how it did is known soon. */
  private CompletableFuture<Void> inquest(String name) {
    var end = ends.get(name);
    if (end == null || ending) {
      return CompletableFuture.completedFuture(null);
    }
    var longest = byName.get(name).inquest().toMillis();
    return end.copy().completeOnTimeout(null, longest, TimeUnit.MILLISECONDS);
  }

  private Optional<Node> member(NodeProcess node) {
    return host.member(node.name());
  }

  private void left(Node node, String reason) {
    if (ending) {
      return;
    }
    var process = byName.get(node.name());
    if (leaving.contains(node.name())) {
      Thread.startVirtualThread(() -> endInOrder(process));
    } else {
      process.destroy();
    }
  }

  private static void endInOrder(NodeProcess process) {
    process.end();
    try {
      if (!process.awaitEnd(System.nanoTime() + GRACE.toNanos())) {
        process.destroy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread()
          .interrupt(); // only code of ours could interrupt this thread, and none does
    }
  }

  /** More nodes, and fewer. */
  private final class Supplies implements GridMember.Provider {

    @Override
    public void request(String virtualNode, int more) {
      if (ending) {
        throw new IllegalStateException("the grid is closed, and gets no more nodes");
      }
      var steps = supply.more(virtualNode, more);
      var problems = start(steps);
      var names = steps.stream().map(step -> step.node().name()).toList();
      attend(running.stream().filter(node -> names.contains(node.name())).toList());
      if (!problems.isEmpty()) {
        throw new DeploymentException(problems);
      }
    }

    @Override
    public CompletableFuture<Void> release(Node node) {
      return host.retire(node, NodeMain.RELEASED);
    }
  }

  /** Lets the control socket see this grid, above whose package it does not look. */
  private final class Controlled implements ControlledGrid {

    @Override
    public String run() {
      return Grid.this.run();
    }

    @Override
    public SortedSet<String> drivers() {
      return Grid.this.drivers();
    }

    @Override
    public List<NodeStatus> status() {
      return Grid.this.status();
    }

    @Override
    public List<Distance> knownDistances() {
      return Grid.this.knownDistances();
    }

    @Override
    public boolean isEnding() {
      return ending;
    }
  }

  // What the program sees

  /**
   * Returns the live set of the nodes of a virtual node.
   *
   * @throws IllegalArgumentException if the descriptor has no such virtual node; the message says
   *     which it has
   */
  public Nodes nodes(String virtualNode) {
    descriptor.infrastructureOf(virtualNode); // refuses unknown names, with a guess
    return host.nodes(virtualNode);
  }

  /** Returns the live set of all nodes. */
  public Nodes nodes() {
    return host.nodes("");
  }

  /**
   * Returns what carries calls between this JVM and its nodes, such as {@code shm} or {@code tls};
   * nothing if the transport has only one way.
   */
  public SortedSet<String> drivers() {
    return host.drivers();
  }

  /**
   * Returns how far the clusters of the nodes that are there now are from each other, in both
   * directions. Waits until all is measured: for a second or a few for each two clusters, but not
   * for those whose nodes have not changed since. Where that fails, the two are missing from the
   * result, and the log says why.
   */
  public List<Distance> distances() throws InterruptedException {
    return distances.measured();
  }

  /** Returns those distances that have been measured. */
  public List<Distance> knownDistances() {
    return distances.known();
  }

  /** Returns the id of its record. */
  public String run() {
    return machines.run().id();
  }

  /** Returns how each node is doing, in the order of the descriptor. */
  public List<NodeStatus> status() {
    return running.stream().map(this::status).toList();
  }

  /**
   * Shows the user on standard error, until the result is closed, what the nodes wait for that have
   * not joined; for programs that have nothing else to show meanwhile.
   */
  public DeploymentView view() {
    return DeploymentView.of(this);
  }

  private NodeStatus status(NodeProcess node) {
    var plan = node.plan();
    if (!node.isAlive()) {
      return new NodeStatus(plan, plan.host(), node.pid(), NodeStatus.State.ENDED, node.end("; "));
    }
    return member(node)
        .map(
            member ->
                new NodeStatus(
                    plan, member.host(), pid(member, node), NodeStatus.State.JOINED, leaving(node)))
        .orElseGet(
            () ->
                new NodeStatus(
                    plan, plan.host(), node.pid(), NodeStatus.State.STARTING, node.progress()));
  }

  private String leaving(NodeProcess node) {
    return leaving.contains(node.name()) ? "it is leaving" : "";
  }

  /** A node that a batch system has started knows its number best. */
  private static OptionalLong pid(Node member, NodeProcess node) {
    var told = member.attributes().get("pid");
    return told == null ? node.pid() : OptionalLong.of(Long.parseLong(told));
  }

  /**
   * Ends all nodes and waits until their processes are gone. One-way calls get one more second to
   * be served; nodes that do not end by themselves within 5 s are killed; calls that wait for them
   * end with an error. Idempotent.
   */
  @Override
  public void close() {
    closing.lock();
    try {
      endProcesses();
      host.close();
      machines.close();
      forgetHook();
    } finally {
      closing.unlock();
    }
  }

  private void endProcesses() {
    var taking = host;
    if (!ending && taking != null) {
      taking.settle(SETTLING);
    }
    ending = true;
    if (control != null) {
      control.close();
    }
    try {
      endProcesses(running.stream().filter(NodeProcess::isThroughNode).toList());
      if (taking != null && running.stream().anyMatch(NodeProcess::hasNoInput)) {
        taking.endAll(NodeMain.CLOSED);
      }
      endProcesses(running);
    } catch (InterruptedException e) {
      running.forEach(NodeProcess::destroy);
      Thread.currentThread().interrupt();
    }
    machines.batchSystems().close();
    machines.run().end();
  }

  private static void endProcesses(List<NodeProcess> nodes) throws InterruptedException {
    nodes.forEach(NodeProcess::end);
    var deadline = System.nanoTime() + GRACE.toNanos();
    for (var node : nodes) {
      if (!node.awaitEnd(deadline)) {
        node.destroy();
      }
    }
    deadline = System.nanoTime() + GRACE.toNanos();
    for (var node : nodes) {
      node.awaitEnd(deadline);
      node.awaitOutput();
    }
  }

  private void forgetHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending: the hook runs, and finds nothing to end.
    }
  }
}
