package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Nodes;
import org.troupe.testing.LogRecords;

/** Tasks that are stolen between nodes; all in one JVM, with copies as between JVMs. */
@Timeout(60)
class TasksOnNodesTest {

  private static final Set<String> THREADS = ConcurrentHashMap.newKeySet();
  private static volatile CountDownLatch met = new CountDownLatch(0);

  private final LocalNodes nodes = LocalNodes.start(3);
  private final Tasks tasks = Tasks.on(nodes.nodes());

  @AfterEach
  void close() {
    tasks.close();
    nodes.close();
  }

  @Test
  void computesATreeOfScopes() {
    assertThat(tasks.run(() -> fib(18))).isEqualTo(2584);
  }

  @Test
  void computesATreeOfJobs() {
    assertThat(tasks.run(new TasksTest.Fib(24))).isEqualTo(46368);
    assertThat(tasks.run(new TasksTest.Names("a", 4)))
        .hasSize(16)
        .startsWith("aaaaa")
        .endsWith("abbbb");
    assertThat(tasks.run(new TasksTest.Area(0, 1))).isBetween(0.3333, 0.3334);
  }

  /** Each task waits until as many run as there are nodes, which one node alone cannot reach. */
  @Test
  void spreadsATreeOverAllNodes() {
    THREADS.clear();
    met = new CountDownLatch(4);
    int sum = tasks.run(() -> meet(4));
    assertThat(sum).isEqualTo(4);
    assertThat(tasks.report().total().stolenInCluster()).isPositive();
  }

  private static int meet(int more) throws Exception {
    if (more == 1) {
      return meetingPlace();
    }
    try (var scope = Scope.open()) {
      var rest = scope.fork(() -> meet(more - 1));
      int own = meetingPlace();
      scope.sync();
      return own + rest.get();
    }
  }

  private static int meetingPlace() throws InterruptedException {
    met.countDown();
    return met.await(30, TimeUnit.SECONDS) ? 1 : 0;
  }

  @Test
  void bringsFailuresBack() {
    assertThatThrownBy(() -> tasks.run(() -> raise(new IOException("disk"))))
        .isInstanceOf(TaskFailedException.class)
        .hasRootCauseMessage("disk");
    assertThatThrownBy(() -> tasks.run(new TasksTest.Failing())).hasMessageContaining("job");
  }

  @Test
  void namesWhatCannotTravel() {
    var thread = new Thread("stuck");
    assertThatThrownBy(() -> tasks.run(() -> thread.getName())).hasMessageContaining("Thread");
  }

  @Test
  void dividesAFlatForkAmongNodes() {
    long sum =
        tasks.run(
            () -> {
              try (var scope = Scope.open()) {
                var forks = new ArrayList<Fork<Integer>>();
                for (int i = 0; i < 2_000; i++) {
                  int number = i;
                  forks.add(scope.fork(() -> number));
                }
                scope.sync();
                return forks.stream().mapToLong(Fork::get).sum();
              }
            });
    assertThat(sum).isEqualTo(1_999_000);
  }

  @Test
  void runsHandlersWhereTheirScopeIs() {
    int handled =
        tasks.run(
            () -> {
              var count = new AtomicInteger();
              try (var scope = Scope.open()) {
                for (int i = 0; i < 200; i++) {
                  int number = i;
                  scope.fork(() -> number, value -> count.addAndGet(value));
                }
                scope.sync();
              }
              return count.get();
            });
    assertThat(handled).isEqualTo(19_900);
  }

  @Test
  void acceptsNodesThatJoin() {
    nodes.join();
    assertThat(tasks.run(() -> fib(14))).isEqualTo(377);
  }

  @Test
  void repeatsTheTasksOfALostNode() throws Exception {
    assertThat(tasks.run(() -> fib(10))).isEqualTo(55);
    var future = tasks.submit(() -> fib(21));
    nodes.kill(0);
    assertThat(future.get(50, TimeUnit.SECONDS)).isEqualTo(10946);
  }

  @Test
  void warnsOnceWhenAllNodesAreLost(LogRecords records) throws Exception {
    assertThat(tasks.run(() -> fib(10))).isEqualTo(55);
    for (var i = 0; i < 3; i++) {
      nodes.kill(i);
    }
    assertThat(tasks.submit(() -> fib(12)).get(50, TimeUnit.SECONDS)).isEqualTo(144);
    records.expect(
        Level.WARNING,
        "Tasks run in the program's own JVM, as all other nodes have left or are lost");
  }

  @Test
  void goesOnWhenANodeLeaves() throws Exception {
    var future = tasks.submit(() -> fib(20));
    nodes.leave(1);
    assertThat(future.get(50, TimeUnit.SECONDS)).isEqualTo(6765);
  }

  @Test
  void endsWhatRunsElsewhereWhenClosed() throws Exception {
    met = new CountDownLatch(1);
    var endless =
        tasks.submit(
            () -> {
              met.countDown();
              while (true) {
                Tasks.checkpoint();
              }
            });
    assertThat(met.await(30, TimeUnit.SECONDS)).isTrue();
    tasks.close();
    assertThatThrownBy(() -> endless.get(30, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void runsInThisJvmIfItsNodeIsTheSet() {
    try (var here = Tasks.on(Nodes.here())) {
      assertThat(here.run(() -> fib(15))).isEqualTo(610);
    }
  }

  private static long fib(int n) throws Exception {
    if (n < 2) {
      return n;
    }
    try (var scope = Scope.open()) {
      Fork<Long> left = scope.fork(() -> fib(n - 1));
      long right = fib(n - 2);
      scope.sync();
      return left.get() + right;
    }
  }

  private static int raise(Exception failure) throws Exception {
    throw failure;
  }
}
