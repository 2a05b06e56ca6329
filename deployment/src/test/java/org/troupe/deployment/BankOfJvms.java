package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.program.DeadlyStore;
import org.troupe.program.GiroAccount;
import org.troupe.program.Quick;

/** A grid of processes with accounts whose calls are logged; a killed process is replaced. */
final class BankOfJvms implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final int jvms;
  private final Map<NodeId, CompletableFuture<String>> left = new ConcurrentHashMap<>();
  private final Queue<String> output = new ConcurrentLinkedQueue<>(); // of all processes

  /** All processes. A number alone would not do: the system uses it again within minutes. */
  private final Set<ProcessHandle> processes = new HashSet<>();

  private final Grid grid;
  private final Nodes nodes;

  BankOfJvms(int jvms) throws InterruptedException, TimeoutException {
    this.jvms = jvms;
    this.grid =
        Grid.local(
            jvms,
            Quick.GRID
                .withSilence(Duration.ofSeconds(5))
                .withOutput(line -> output.add(line.node() + ": " + line.text())));
    this.nodes = grid.nodes("default");
    nodes.onLeave((node, why) -> hasLeft(node).complete(why));
    awaitAll();
  }

  List<Ref<GiroAccount>> openAccounts(int count, Path folder) {
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(DeadlyStore.in(folder)))
            .withRestart(Restart.elsewhere().times(1_000_000, Duration.ofMinutes(1)));
    var opening = new ArrayList<Ref<GiroAccount>>();
    for (var i = 0; i < count; i++) {
      var node = nodes.get(i % jvms);
      opening.add(
          ActiveObjects.ref(
              ActiveObjects.on(node).with(options).create(GiroAccount.class, TransferLoad.FIRST)));
    }
    return opening;
  }

  /** Returns a living node. */
  Node any(Random random) {
    var living = living();
    return living.get(random.nextInt(living.size()));
  }

  List<Node> living() {
    return nodes.list().stream().filter(Node::isAlive).toList();
  }

  /** Returns what completes when a node is lost. */
  private CompletableFuture<String> hasLeft(Node node) {
    return left.computeIfAbsent(node.id(), each -> new CompletableFuture<>());
  }

  /** Starts processes in the place of nodes whose processes have been killed. */
  void replace(List<Node> lost) throws Exception {
    if (!lost.isEmpty()) {
      nodes.request(lost.size());
    }
    for (var each : lost) {
      hasLeft(each).get(Processes.SECONDS, TimeUnit.SECONDS);
    }
    awaitAll();
  }

  private void awaitAll() throws InterruptedException, TimeoutException {
    nodes.await(Nodes.atLeast(jvms), START_LIMIT);
    for (var each : living()) {
      ProcessHandle.of(Processes.pid(each)).ifPresent(processes::add);
    }
  }

  /**
   * Returns a failure of a transfer with what the processes know, if an answer has not come in
   * time.
   */
  AssertionError explained(String when, Throwable failure) {
    var living = living();
    var what =
        "%s; nodes that live: %s, that have left: %s; output: %s"
            .formatted(when, living, reasons(), output());
    if (!(failure instanceof UnansweredTransfer unanswered)) {
      return new AssertionError(what, failure);
    }
    List<Long> ids = new ArrayList<>();
    ids.add(ProcessHandle.current().pid());
    living.forEach(each -> ids.add(Processes.pid(each)));
    try {
      return unanswered.explained(what, grid.run(), ids);
    } catch (Exception unknown) {
      var unexplained = new AssertionError(what, failure);
      unexplained.addSuppressed(unknown);
      return unexplained;
    }
  }

  /** Returns why nodes have left, by their names. */
  private Map<String, String> reasons() {
    var reasons = new TreeMap<String, String>();
    left.forEach((node, why) -> reasons.put(node.name(), why.getNow("it is about to")));
    return reasons;
  }

  /** Returns what the processes have printed. */
  List<String> output() {
    return List.copyOf(output);
  }

  @Override
  public void close() throws Exception {
    grid.close();
    for (var process : processes) {
      Processes.assertGone(process);
    }
    assertThat(output())
        .as("the output of all nodes")
        .noneMatch(line -> line.contains("\tat ") || line.contains("SEVERE"))
        .noneMatch(line -> line.contains("was set aside"));
    assertThreadsGone();
  }

  /** Checks that the threads end which serve other nodes. */
  private static void assertThreadsGone() throws InterruptedException {
    for (var each : Thread.getAllStackTraces().keySet()) {
      var name = each.getName();
      if (name.startsWith("troupe-to-") || name.startsWith("troupe-frames")) {
        assertThat(each.join(START_LIMIT)).as("thread '%s' ends", name).isTrue();
      }
    }
  }
}
