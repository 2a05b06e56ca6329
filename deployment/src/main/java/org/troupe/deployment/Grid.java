package org.troupe.deployment;

import java.io.IOException;
import java.lang.StackWalker.Option;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.deployment.files.StandardOutput;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.model.Distance;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.node.NodeSettings;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.runs.ControlServer;
import org.troupe.deployment.runs.ControlledGrid;
import org.troupe.deployment.runs.DashboardProvider;
import org.troupe.deployment.runs.DashboardProvider.OpenDashboard;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.GridController;
import org.troupe.deployment.runs.GridSettings;
import org.troupe.deployment.runs.ProgramPanels;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.StartedNodes;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.deployment.staging.ProgramFiles;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.futures.FutureRuntime;
import org.troupe.links.OwnerOnly;
import org.troupe.links.Secret;

/**
 * The nodes that a descriptor asks for, from their start to their end.
 *
 * {@snippet file="org/troupe/deployment/snippets/DeploymentSnippets.java" region="deploy"}
 *
 * <p>No node outlives its grid: nodes end when the grid is closed, and when this program ends or is
 * killed. A program may have several grids. May be shared between threads.
 */
public final class Grid implements AutoCloseable {

  /*
   * The processes are started before this JVM has opened its own membership, and boot meanwhile; then each gets its
   * settings over its standard input. See RunningNodes.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");
  private static final Duration LOCAL_START = Duration.ofMinutes(2);

  private final Descriptor descriptor;
  private final MachineRegistry machines;
  private final RunningNodes running;
  private final DistanceMeter distances = new DistanceMeter(this::nodes);
  private final ProgramPanels panels = new ProgramPanels();
  private volatile @Nullable GridMember host; // null while starting
  private volatile @Nullable ControlServer control; // null while starting, or without a socket
  private volatile @Nullable GridController controller; // null while starting
  private volatile @Nullable OpenDashboard dashboard; // null unless it was asked for
  private final ReentrantLock closing = new ReentrantLock();
  private final Thread hook;

  /**
   * Starts the nodes of a descriptor, with the standard options.
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
   * {@link #nodes} waits, and fails as soon as too few nodes can still join.
   *
   * @throws DeploymentException with every problem, if a prerequisite is missing, there is no such
   *     transport, or a system property has a wrong value; nothing is left running
   */
  public static Grid deploy(Descriptor descriptor, GridOptions options) {
    return new Grid(descriptor, options);
  }

  /**
   * Starts the nodes of a descriptor, which go on with the objects in a store, with the standard
   * options.
   *
   * @see #resume(Store, Path, GridOptions)
   */
  public static Grid resume(Store store, Path descriptor) {
    return resume(store, descriptor, GridOptions.standard());
  }

  /**
   * Starts the nodes of a descriptor, which go on with the {@linkplain
   * org.troupe.activeobjects.Keep kept} objects that a store has from earlier runs, however these
   * have ended, on any number of nodes. An object is made again when it is called: by its
   * {@linkplain org.troupe.activeobjects.ActiveObjects.Creation#named name}, or by another object
   * that refers to it. Objects whose logs have requests that were not served are made again at
   * once. The log names journals that cannot be read.
   *
   * <p>Answers to callers of the earlier run are dropped. Objects that are not kept are gone, even
   * if kept objects refer to them.
   *
   * {@snippet file="org/troupe/deployment/snippets/DeploymentSnippets.java" region="resume"}
   *
   * @throws DeploymentException also if the store is not there, or another run uses it
   * @see #deploy(Path, GridOptions)
   */
  public static Grid resume(Store store, Path descriptor, GridOptions options) {
    return deploy(descriptor, options.resuming(store));
  }

  /**
   * Starts the nodes of a descriptor, which go on with the logged objects of a store from a {@link
   * #save save point} of an earlier run, with the standard options.
   *
   * @see GridOptions#resuming(Store, String)
   */
  public static Grid resume(Store store, String savePoint, Path descriptor) {
    return deploy(descriptor, GridOptions.standard().resuming(store, savePoint));
  }

  /**
   * Starts nodes on this machine, of the virtual node {@code default}, with the standard options.
   *
   * @see #local(int, GridOptions)
   */
  public static Grid local(int jvms) {
    return local(jvms, GridOptions.standard());
  }

  /**
   * Starts nodes on this machine, of the virtual node {@code default}, and waits until all have
   * joined.
   *
   * @throws IllegalArgumentException if the number is not positive
   * @throws DeploymentException if a node cannot be started, there is no such transport, or a
   *     system property has a wrong value; nothing is left running
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
    PropertyCheck.run();
    var page =
        options.hasDashboard()
            ? Optional.of(dashboardProvider())
            : Optional.<DashboardProvider>empty();
    var properties = ProgramFiles.properties(caller());
    machines =
        new MachineRegistry(
            properties.getOrDefault(ProgramFiles.APPLICATION, ""),
            RunJournal.create(options.jvmOptions()));
    var plan = Plan.of(descriptor, machines);
    if (!plan.problems().isEmpty()) {
      machines.run().end();
      throw new DeploymentException(plan.problems());
    }
    var secret = Secret.random().reveal();
    running =
        new RunningNodes(
            new NodeSupply(plan),
            options.output(),
            node -> settings(node, options, secret, properties));
    hook = new Thread(this::endNodes, "troupe-end-of-program");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      begin(plan, options, secret, properties);
      page.ifPresent(provider -> openDashboard(provider, options));
    } catch (RuntimeException | Error failure) {
      abandon();
      throw failure;
    }
  }

  /** Starts the nodes, opens this JVM's own membership meanwhile, and then admits the nodes. */
  private void begin(
      Plan plan, GridOptions options, String secret, Map<String, String> properties) {
    machines.run().begin(plan.elements(), System.getProperty(SshConfig.FILE, ""));
    var opening = CompletableFuture.supplyAsync(() -> open(options, secret), Grid::inBackground);
    var problems = running.start(plan.steps());
    var coordinator = opened(opening, problems);
    host = coordinator;
    for (var each : options.stores()) {
      try {
        coordinator.resume(each, Optional.ofNullable(options.savePoints().get(each)));
      } catch (IOException cause) {
        problems.add("the grid cannot go on with a store: " + cause.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw new DeploymentException(problems);
    }
    running.admit(coordinator);
    var answers =
        new GridController(
            new Controlled(options, properties),
            coordinator,
            running.processes(),
            options.transport());
    controller = answers;
    control = ControlServer.open(answers);
  }

  private static DashboardProvider dashboardProvider() {
    return ServiceLoader.load(DashboardProvider.class)
        .findFirst()
        .orElseThrow(
            () ->
                new DeploymentException(
                    List.of(
                        "the program asks for a dashboard, and has none; add org.troupe:troupe-dashboard"
                            + " to its class path, or use 'troupe dashboard' instead")));
  }

  private void openDashboard(DashboardProvider provider, GridOptions options) {
    if (control == null) {
      throw new DeploymentException(
          List.of("the dashboard needs the control socket of the program, " + whyNoControl()));
    }
    var opened = provider.open(run());
    dashboard = opened;
    options
        .output()
        .accept(new OutputLine(host().self().name(), true, "dashboard: " + shown(opened)));
  }

  private static String whyNoControl() {
    return OwnerOnly.isPossible()
        ? "which cannot be made in '%s'; set java.io.tmpdir to a folder of this machine with a short path"
            .formatted(System.getProperty("java.io.tmpdir"))
        : "which other users could open, since files have no permissions on this system; start the"
            + " program without a dashboard";
  }

  /**
   * Returns the page's address if a terminal shows it. Else it would stay in a file of output, with
   * its tokens; then only a file of this user has it.
   */
  private String shown(OpenDashboard opened) {
    if (StandardOutput.isErrorShown()) {
      return opened.address();
    }
    try {
      var file = machines.run().write("dashboard", opened.address() + "\n");
      return "its address is in " + file;
    } catch (IOException e) {
      return "its address cannot be written to a file (%s); 'troupe dashboard' shows the run"
          .formatted(e.getMessage());
    }
  }

  /** Ends everything that a failed deployment has started. */
  private void abandon() {
    running.destroy();
    endNodes();
    var opened = host;
    if (opened != null) {
      opened.close();
    }
    machines.close();
    removeHook();
  }

  /** Returns the class of the program that deploys the grid. */
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

  /** Runs work on a daemon platform thread, for which the end of the program does not wait. */
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

  private static GridMember opened(CompletableFuture<GridMember> opening, List<String> problems) {
    try {
      return opening.join();
    } catch (CompletionException e) {
      switch (Objects.requireNonNull(e.getCause(), "set by join")) {
        case IOException cause ->
            problems.add("this JVM cannot join a grid: " + cause.getMessage());
        case IllegalArgumentException cause -> // a property that cannot be read
            problems.add("this JVM cannot join a grid: " + cause.getMessage());
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        default -> throw e;
      }
      throw new DeploymentException(problems);
    }
  }

  private NodeSettings settings(
      NodeProcess node, GridOptions options, String secret, Map<String, String> properties) {
    var contact = host().contact();
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

  private GridMember host() {
    return Objects.requireNonNull(host, "the grid is starting");
  }

  /** The view of the control socket of this grid; its package does not know this class. */
  private final class Controlled implements ControlledGrid {

    private final GridOptions options;
    private final Map<String, String> properties;

    Controlled(GridOptions options, Map<String, String> properties) {
      this.options = options;
      this.properties = properties;
    }

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
    public List<JobStatus> jobs() {
      return running.jobs();
    }

    @Override
    public Map<String, List<String>> jvmOptions() {
      return descriptor.infrastructure().stream()
          .collect(
              Collectors.toMap(
                  Infrastructure::id,
                  each -> new JavaCommand(each.jvm(), machines.run()).options()));
    }

    @Override
    public List<Distance> knownDistances() {
      return Grid.this.knownDistances();
    }

    @Override
    public Duration silence() {
      return options.silence();
    }

    @Override
    public GridSettings settings() {
      return GridSettings.of(
          descriptor, options.transport(), Grid.this.drivers(), options.jvmOptions(), properties);
    }

    @Override
    public StartedNodes request(String virtualNode, int more) {
      return running.startMore(virtualNode, more);
    }

    @Override
    public ProgramPanels panels() {
      return panels;
    }

    @Override
    public boolean isEnding() {
      return running.isEnding();
    }

    @Override
    public void onEnding(Runnable action) {
      running.onEnding(action);
    }
  }

  // The view of the program

  /**
   * Returns the live set of the nodes of a virtual node, in the order in which they joined.
   *
   * @throws IllegalArgumentException if the descriptor has no such virtual node; the message says
   *     which it has
   */
  public Nodes nodes(String virtualNode) {
    descriptor.infrastructureOf(virtualNode); // fails for unknown names, with a suggestion
    return host().nodes(virtualNode);
  }

  /**
   * Returns the live set of all nodes, in the order in which they joined: the first one may be
   * {@code local-2}. {@code Groups.on} gives ranks in the order of the names, as {@code ./troupe
   * status} lists the nodes.
   */
  public Nodes nodes() {
    return host().nodes("");
  }

  /**
   * Returns the drivers that carry calls between this JVM and its nodes, such as {@code shm} or
   * {@code tls}; empty if the transport has no choice of drivers.
   */
  public SortedSet<String> drivers() {
    return host().drivers();
  }

  /**
   * Returns the distances between the clusters of the present nodes, in both directions. Blocks for
   * a few seconds for each pair of clusters whose nodes have changed since the last measurement. A
   * pair whose measurement fails is missing from the result; the log has the reason.
   */
  public List<Distance> distances() throws InterruptedException {
    return distances.measured();
  }

  /** Returns the distances that have been measured, without measuring. */
  public List<Distance> knownDistances() {
    return distances.known();
  }

  /**
   * Returns the address of the page that shows the run, if {@link GridOptions#withDashboard} has
   * asked for one. It has secrets of its user.
   */
  public Optional<String> dashboard() {
    return Optional.ofNullable(dashboard).map(OpenDashboard::address);
  }

  /**
   * Shows a panel of the program on the page of the run, or replaces the one of that name.
   *
   * {@snippet file="org/troupe/deployment/snippets/DeploymentSnippets.java" region="panel"}
   *
   * <p>The program is asked for the items on a virtual thread, about once per second while the run
   * is watched, and when a button is pressed. The panel shows the exception if {@code items} throws
   * one.
   *
   * @param items returns what the panel is to show now; may be called by several threads
   * @throws IllegalArgumentException if the name is empty, long, or not of one line
   * @throws IllegalStateException if there are more than 20 panels
   */
  public void panel(String name, Supplier<List<PanelItem>> items) {
    panels.add(name, items);
  }

  /** Returns the id of the run, which names its record. */
  public String run() {
    return machines.run().id();
  }

  /** Returns the status of each node, in the order of the descriptor. */
  public List<NodeStatus> status() {
    return running.status();
  }

  /**
   * Shows the progress of the deployment on standard error, until the result is closed; for
   * programs that have no display of their own.
   */
  public DeploymentView view() {
    return DeploymentView.of(this);
  }

  /**
   * Makes a save point of all objects with {@link org.troupe.activeobjects.Keep#calls}: a state of
   * each, such that no call or answer has been taken that was not sent, as far as these objects
   * have sent it. Calls between them that are under way are made again from the save point. A later
   * run goes on from it, after {@link GridOptions#resuming(Store, String)}, as often as it wants.
   *
   * <p>While the logs are marked, for two exchanges with all nodes, calls and answers of these
   * objects wait; they serve on while their journals are copied. Objects that sleep are woken. Not
   * part of it are calls of a {@code main} and of objects without a log. An object that is kept in
   * {@link Store#copies} makes it fail.
   *
   * {@snippet file="org/troupe/deployment/snippets/DeploymentSnippets.java" region="save"}
   *
   * @param name at most 50 letters, digits, hyphens and underscores, and new in all stores
   * @return completes when the save point is stable; fails if there is none
   * @throws IllegalArgumentException if the name is not possible
   */
  public CompletableFuture<Void> save(String name) {
    return host().save(name);
  }

  /**
   * Deletes a save point from all stores that the grid uses; does nothing if there is none of that
   * name.
   *
   * @return completes when it is deleted
   */
  public CompletableFuture<Void> deleteSave(String name) {
    return host().deleteSave(name);
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
      var known = controller;
      controller = null; // closing twice is possible
      if (known != null) {
        keepSnapshot(known);
        known.close();
      }
      endNodes();
      if (known != null) {
        known.awaitFollowers(); // else the end of the program may cut their last lines off
      }
      host().close();
      machines.close();
      removeHook();
    } finally {
      closing.unlock();
    }
  }

  /** Keeps what is known of the run, for a report if the program fails. */
  private void keepSnapshot(GridController known) {
    if (!EndedRuns.areWanted() || running.isEnding()) {
      return;
    }
    try {
      EndedRuns.ofProgram().add(known.snapshot("", false));
    } catch (RefusedRequestException | IllegalStateException e) { // it is ending, or interrupted
      LOG.log(Level.DEBUG, "there will be no report of this run", e);
    } catch (RuntimeException e) { // the nodes must end in any case
      LOG.log(
          Level.WARNING,
          "an internal fault of Troupe: there will be no report of this run; please report it with this trace",
          e);
    }
  }

  private void endNodes() {
    var shown = dashboard;
    if (shown != null) {
      shown.close();
    }
    running.settle();
    var listening = control;
    if (listening != null) {
      listening.close();
    }
    running.end();
    machines.batchSystems().close();
    machines.run().end();
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending: the hook runs, and has nothing left to end.
    }
  }
}
