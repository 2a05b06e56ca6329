package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.testing.LogRecords;

/** Tasks with a label, which only nodes that have it execute. Each node has one worker. */
@Timeout(60)
class LabelsTest {

  private static volatile CountDownLatch begun = new CountDownLatch(0);
  private static volatile CountDownLatch met = new CountDownLatch(0);

  private final LocalNodes nodes = LocalNodes.start(3);
  private final Tasks tasks;

  LabelsTest() {
    System.setProperty("troupe.tasks.workers", "1");
    try {
      tasks = Tasks.on(nodes.nodes());
    } finally {
      System.clearProperty("troupe.tasks.workers");
    }
  }

  @AfterEach
  void close() {
    while (met.getCount() > 0) {
      met.countDown();
    }
    tasks.close();
    nodes.close();
  }

  /** A set of nodes to which the test adds. */
  private static final class Chosen implements Nodes {

    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private final List<Consumer<Node>> listeners = new CopyOnWriteArrayList<>();

    Chosen(Node... first) {
      nodes.addAll(List.of(first));
    }

    void add(Node node) {
      nodes.add(node);
      listeners.forEach(each -> each.accept(node));
    }

    @Override
    public List<Node> list() {
      return List.copyOf(nodes);
    }

    @Override
    public Node get(int index) {
      return nodes.get(index);
    }

    @Override
    public Nodes await(Quorum quorum, Duration timeout) {
      return this;
    }

    @Override
    public void onJoin(Consumer<Node> listener) {
      listeners.add(listener);
      nodes.forEach(listener);
    }

    @Override
    public void onLeave(BiConsumer<Node, String> listener) {}

    @Override
    public void onLeaving(BiConsumer<Node, String> listener) {}

    @Override
    public void request(int more) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> release(Node node) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterator<Node> iterator() {
      return list().iterator();
    }
  }

  /** Returns the thread, whose name begins with that of its node. */
  private static String place() {
    return Thread.currentThread().getName();
  }

  private static String forked(String label) {
    try (var scope = Scope.open()) {
      var fork = scope.fork(label, LabelsTest::place);
      scope.sync();
      return fork.get();
    }
  }

  @Test
  void areRespectedByStealing() {
    tasks.label("gpu", new Chosen(nodes.get(1)));

    var places =
        tasks.run(
            () -> {
              var forks = new ArrayList<Fork<String>>();
              try (var scope = Scope.open()) {
                for (var i = 0; i < 40; i++) {
                  forks.add(scope.fork("gpu", LabelsTest::place));
                  scope.fork(LabelsTest::place);
                }
                scope.sync();
              }
              return forks.stream().map(Fork::get).toList();
            });

    assertThat(places).hasSize(40).allMatch(each -> each.startsWith("tasks-node-2-"));
  }

  @Test
  void leadHandlersToTheirScope() {
    tasks.label("gpu", new Chosen(nodes.get(0), nodes.get(2)));

    int sum =
        tasks.run(
            () -> {
              var total = new AtomicInteger();
              try (var scope = Scope.open()) {
                for (var i = 0; i < 20; i++) {
                  var number = i;
                  scope.fork("gpu", () -> number, value -> total.addAndGet(value));
                }
                scope.sync();
              }
              return total.get();
            });

    assertThat(sum).isEqualTo(190);
  }

  @Test
  void thatNoNodeHasAreAnErrorWithTheNamesOfThoseThatThereAre() {
    assertThatThrownBy(() -> tasks.run(() -> forked("gpu")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there are no labels");
    tasks.label("gpu", new Chosen(nodes.get(1)));
    tasks.label("large memory", new Chosen(nodes.get(0)));

    assertThatThrownBy(() -> tasks.run(() -> forked("gqu")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no node has the label 'gqu'")
        .hasMessageContaining("the labels are 'gpu', 'large memory'");
    assertThatThrownBy(() -> tasks.label(" ", new Chosen()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blank");
  }

  /** Waits until a number of these tasks run at the same time. */
  private static String meet() throws InterruptedException {
    begun.countDown();
    if (!met.await(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the others have not come");
    }
    return place();
  }

  private static List<String> meetings(String label, int number) {
    var forks = new ArrayList<Fork<String>>();
    try (var scope = Scope.open()) {
      for (var i = 0; i < number; i++) {
        forks.add(
            scope.fork(
                label,
                () -> {
                  met.countDown();
                  return meet();
                }));
      }
      scope.sync();
    }
    return forks.stream().map(Fork::get).toList();
  }

  @Test
  void areGivenToNodesThatJoin() throws Exception {
    var gpus = new Chosen(nodes.get(1));
    tasks.label("gpu", gpus);
    begun = new CountDownLatch(1);
    met = new CountDownLatch(2);

    var places = tasks.submit(() -> meetings("gpu", 2));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    gpus.add(nodes.join()); // the only other one

    assertThat(places.get(30, TimeUnit.SECONDS))
        .anyMatch(each -> each.startsWith("tasks-node-2-"))
        .anyMatch(each -> each.startsWith("tasks-node-4-"));
  }

  @Test
  void areGivenToJoiningNodesByOneListenerOfTheSet() throws Exception {
    var gpus = new Chosen(nodes.get(1));
    tasks.label("gpu", gpus);
    tasks.label("gpu", gpus);
    tasks.label("large memory", gpus);
    begun = new CountDownLatch(1);
    met = new CountDownLatch(2);

    var places = tasks.submit(() -> meetings("large memory", 2));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    gpus.add(nodes.join());

    assertThat(places.get(30, TimeUnit.SECONDS)).hasSize(2).doesNotHaveDuplicates();
    assertThat(gpus.listeners).hasSize(1);
  }

  @Test
  void leadTasksOfALostNodeToAnotherOneWithTheLabel(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    tasks.label("gpu", new Chosen(nodes.get(1), nodes.get(2)));
    begun = new CountDownLatch(2);
    met = new CountDownLatch(3); // one more than there are tasks

    var places = tasks.submit(() -> meetings("gpu", 2));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    nodes.kill(1);
    met.countDown();

    assertThat(places.get(30, TimeUnit.SECONDS))
        .hasSize(2)
        .allMatch(each -> each.startsWith("tasks-node-3-"));
  }

  @Test
  void failTasksWhenTheirLastNodeIsLost(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "");
    tasks.label("gpu", new Chosen(nodes.get(1)));
    begun = new CountDownLatch(1);
    met = new CountDownLatch(9);

    var places = tasks.submit(() -> meetings("gpu", 3));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    nodes.kill(1);

    assertThatThrownBy(() -> places.get(30, TimeUnit.SECONDS))
        .hasMessageContaining("no node has the label 'gpu'")
        .hasMessageContaining("there are no labels");
  }

  private static int endless() {
    while (true) {
      Tasks.checkpoint();
    }
  }

  @Test
  void leaveTasksCancellable() {
    tasks.label("gpu", new Chosen(nodes.get(1)));

    var cancelled =
        tasks.run(
            () -> {
              var forks = new ArrayList<Fork<Integer>>();
              try (var scope = Scope.open()) {
                for (var i = 0; i < 5; i++) {
                  forks.add(scope.fork("gpu", LabelsTest::endless));
                }
                scope.cancel();
                scope.sync();
              }
              return forks.stream().map(Fork::isCancelled).toList();
            });

    assertThat(cancelled).containsOnly(true).hasSize(5);
    assertThat(tasks.run(() -> forked("gpu"))).startsWith("tasks-node-2-"); // it is free again
  }

  @Test
  void belongToThisJvmIfThereAreNoNodes() {
    try (var here = Tasks.here(2)) {
      assertThatThrownBy(() -> here.run(() -> forked("gpu"))).hasMessageContaining("no labels");

      here.label("gpu", Nodes.here());

      assertThat(here.run(() -> forked("gpu"))).startsWith("tasks-");
    }
  }
}
