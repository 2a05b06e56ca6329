package org.troupe.deployment;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.launch.Launcher;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.node.NodeMain;
import org.troupe.deployment.node.NodeSettings;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.runs.StartedNodes;
import org.troupe.descriptors.SourceProblem;

/** The processes of a grid's nodes, from their start to their end. Thread-safe. */
final class RunningNodes implements GridMember.Provider {

  /*
   * Life: start() starts the processes, before this JVM has opened its own membership; admit() gives them their
   * settings once it has; settle() and end() end them.
   *
   * From admit() to settle() the process decides about its node, and the membership about the process: when a process
   * ends, its node is declared dead; when a node is declared dead, its process is killed, so that it cannot come back.
   */

  /** How long nodes may take to end by themselves, and after that to be killed. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** How long one-way calls may take to be served before the nodes end. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private final NodeSupply supply;
  private final Consumer<OutputLine> output;
  private final Function<NodeProcess, NodeSettings> settings;
  private final List<NodeProcess> processes = new CopyOnWriteArrayList<>();
  // By the name of the node.
  private final Map<String, NodeProcess> byName = new ConcurrentHashMap<>();
  private final Map<String, Launcher> launchers = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> reportedEnds = new ConcurrentHashMap<>();
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private volatile @Nullable GridMember host; // null before admit()
  private volatile boolean ending;
  private final CompletableFuture<Void> endingBegun = new CompletableFuture<>();

  /**
   * @param settings of a node; called after {@link #admit}
   */
  RunningNodes(
      NodeSupply supply,
      Consumer<OutputLine> output,
      Function<NodeProcess, NodeSettings> settings) {
    this.supply = supply;
    this.output = output;
    this.settings = settings;
  }

  /** Returns the processes of all nodes, those that have ended, too; a live view. */
  List<NodeProcess> processes() {
    return processes;
  }

  boolean isEnding() {
    return ending;
  }

  /** Runs an action when the end begins, by the thread that ends the nodes. */
  void onEnding(Runnable action) {
    var _ = endingBegun.thenRun(action);
  }

  // Starting

  /** Starts the processes of nodes, and returns what went wrong. */
  List<String> start(List<Plan.Step> steps) {
    var problems = new ArrayList<String>();
    for (var step : steps) {
      var node = step.node();
      try {
        launchers.put(node.name(), step.launcher());
        var started = new NodeProcess(node, step.start(), output);
        byName.put(node.name(), started);
        processes.add(started);
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

  /** Coordinates a grid of the nodes that have been started. */
  void admit(GridMember coordinator) {
    host = coordinator;
    coordinator.coordinate();
    coordinator.onJoin(node -> launcher(node.name()).joined(node));
    coordinator.nodes("").onLeaving((node, reason) -> leaving.add(node.name()));
    coordinator.nodes("").onLeave(this::left);
    coordinator.onSuspicion(this::postMortem);
    coordinator.provide(this);
    configure(processes);
  }

  /** Announces nodes to the membership, sends them their settings, and watches for their ends. */
  private void configure(List<NodeProcess> nodes) {
    nodes.forEach(node -> host().expect(node.name(), node.plan().virtualNodes(), node::progress));
    nodes.forEach(node -> node.send(settings.apply(node)));
    nodes.forEach(node -> reportedEnds.put(node.name(), node.onEnd().thenRun(() -> ended(node))));
  }

  @Override
  public void request(String virtualNode, int more) {
    var outcome = startMore(virtualNode, more);
    if (!outcome.problems().isEmpty()) {
      var problems = new ArrayList<>(outcome.problems());
      if (!outcome.started().isEmpty()) {
        problems.add(
            "these nodes are being started nevertheless: " + String.join(", ", outcome.started()));
      }
      throw new DeploymentException(problems);
    }
  }

  /** Begins to start more nodes; says which, and why others could not be started. */
  StartedNodes startMore(String virtualNode, int more) {
    if (ending) {
      throw new IllegalStateException("the grid is closed, and gets no more nodes");
    }
    var steps = supply.more(virtualNode, more);
    var problems = start(steps);
    var started =
        steps.stream()
            .map(step -> byName.get(step.node().name()))
            .filter(Objects::nonNull)
            .toList();
    configure(started);
    return new StartedNodes(started.stream().map(NodeProcess::name).toList(), problems);
  }

  @Override
  public CompletableFuture<Void> release(Node node) {
    var process = byName.get(node.name());
    if (process == null) {
      return host().retire(node, NodeMain.RELEASED);
    }
    process.setReleased(true); // first: its process may end before the answer comes
    return host()
        .retire(node, NodeMain.RELEASED)
        .whenComplete((_, failure) -> process.setReleased(failure == null));
  }

  private GridMember host() {
    return Objects.requireNonNull(host, "the nodes have not been admitted");
  }

  /** Returns the state of the jobs of all elements, in the order of their first nodes. */
  List<JobStatus> jobs() {
    return processes.stream()
        .map(each -> launchers.get(each.name()))
        .filter(Objects::nonNull)
        .distinct()
        .flatMap(each -> each.jobs().stream())
        .toList();
  }

  private Launcher launcher(String name) {
    return Objects.requireNonNull(launchers.get(name), name);
  }

  private Optional<Node> member(NodeProcess node) {
    var coordinator = host;
    return coordinator == null ? Optional.empty() : coordinator.member(node.name());
  }

  // While they run

  private void ended(NodeProcess node) {
    if (ending) {
      return;
    }
    if (node.isOrphan() && member(node).isEmpty()) {
      startAgain(node);
    } else {
      host().ended(node.name(), node.exitReport(member(node).isPresent()));
    }
  }

  /** Starts a node whose starting node was lost. */
  private void startAgain(NodeProcess node) {
    try {
      var process = launcher(node.name()).start(node.plan());
      var again = new NodeProcess(node.plan(), process, output);
      byName.put(node.name(), again);
      processes.set(processes.indexOf(node), again);
      configure(List.of(again));
      if (ending) { // the program ended meanwhile
        again.end();
      }
    } catch (IOException e) {
      host().ended(node.name(), e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  /**
   * Waits for the report of the end of an unreachable node. In most cases its process has ended,
   * and the reason becomes known soon.
   */
  private CompletableFuture<Void> postMortem(String name) {
    var end = reportedEnds.get(name);
    var process = byName.get(name);
    if (end == null || process == null || ending) {
      return CompletableFuture.completedFuture(null);
    }
    var longest = process.postMortemTime().toMillis();
    return end.copy().completeOnTimeout(null, longest, TimeUnit.MILLISECONDS);
  }

  private void left(Node node, String reason) {
    var process = byName.get(node.name());
    if (ending || process == null) {
      return;
    }
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
      // Only code of this class could interrupt this thread, and none does.
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how each node is doing, in the order of the descriptor. */
  List<NodeStatus> status() {
    return processes.stream().map(this::status).toList();
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
                    plan,
                    member.host(),
                    pid(member, node),
                    NodeStatus.State.JOINED,
                    leaving.contains(node.name()) ? "it is leaving" : ""))
        .orElseGet(
            () ->
                new NodeStatus(
                    plan, plan.host(), node.pid(), NodeStatus.State.STARTING, node.progress()));
  }

  /** Prefers the id that the node reports: of one in a batch job, the launcher knows none. */
  private static OptionalLong pid(Node member, NodeProcess node) {
    var reported = member.attributes().get("pid");
    return reported == null ? node.pid() : OptionalLong.of(Long.parseLong(reported));
  }

  // The end

  /** Kills all processes, without waiting for them. */
  void destroy() {
    announceEnd();
    processes.forEach(NodeProcess::destroy);
  }

  /** Gives one-way calls a moment to be served; from now on no end of a node is reported. */
  void settle() {
    var coordinator = host;
    if (!ending && coordinator != null) {
      coordinator.settle(SETTLING);
    }
    ending = true;
    endingBegun.complete(null);
  }

  /** Ends all processes and waits for them; kills those that do not end by themselves. */
  void end() {
    announceEnd();
    try {
      end(processes.stream().filter(NodeProcess::isStartedByNode).toList());
      var coordinator = host;
      if (coordinator != null && processes.stream().anyMatch(NodeProcess::hasNoInput)) {
        coordinator.endAll(NodeMain.CLOSED);
      }
      end(processes);
    } catch (InterruptedException e) {
      destroy();
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the nodes find out that the others end since the grid does, before the first one ends. */
  private void announceEnd() {
    var coordinator = host;
    if (coordinator != null) {
      coordinator.endSupervision();
    }
  }

  private static void end(List<NodeProcess> nodes) throws InterruptedException {
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
}
