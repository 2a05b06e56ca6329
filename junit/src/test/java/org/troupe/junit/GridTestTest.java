package org.troupe.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.deployment.Grid;
import org.troupe.testing.Polling;

/** The extension on samples: tests that pass, and tests that fail for what they leave behind. */
class GridTestTest {

  /** An active object of the samples. */
  static class Worker {

    private static final CountDownLatch NEVER = new CountDownLatch(1);

    Worker() {}

    public long process() {
      return ManagementFactory.getRuntimeMXBean().getPid();
    }

    public String name() {
      return ActiveObjects.node().name();
    }

    public void stumble() {
      throw new IllegalStateException("no");
    }

    /** Calls another worker, whose failure only this one's node learns of. */
    public void push(Worker other) {
      other.stumble();
    }

    public void stumbleSlowly() {
      throw new SlowFailure("late");
    }

    public void pushSlowly(Worker other) {
      other.stumbleSlowly();
    }

    public boolean releaseFailure() throws InterruptedException {
      SlowFailure.releaseNext();
      return true;
    }

    public void waitForEver() throws InterruptedException {
      NEVER.await();
    }

    public void computeForEver() {
      try {
        NEVER.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Lets the failure arrive that a sample has left under way. */
  private static volatile Release release = SlowFailure::releaseNext;

  /** Releases a failure in the JVM that decodes it. */
  @FunctionalInterface
  private interface Release {
    void now() throws InterruptedException;
  }

  /** Run by the tests below, each by itself. */
  static class Samples {

    private int before;

    @BeforeEach
    void countNodes(Nodes nodes) {
      before = nodes.size();
    }

    @GridTest(nodes = 3)
    void hasNodes(Nodes nodes, LocalNodes local, Node first, FailureLog failures, Node second) {
      assertThat(before).isEqualTo(3);
      assertThat(nodes.list()).hasSize(3);
      assertThat(local.get(0)).isEqualTo(first);
      assertThat(local.get(1)).isEqualTo(second);
      Worker worker = ActiveObjects.on(second).create(Worker.class);
      assertThat(worker.name()).isEqualTo("node-2");
      assertThat(worker.process()).isEqualTo(ProcessHandle.current().pid());
    }

    @GridTest(jvms = 2)
    void hasProcesses(Grid grid, Nodes nodes, Node first, Node second) {
      Worker one = ActiveObjects.on(first).create(Worker.class);
      Worker other = ActiveObjects.on(second).create(Worker.class);
      assertThat(nodes.list()).hasSameElementsAs(grid.nodes().list());
      assertThat(one.process())
          .isNotEqualTo(other.process())
          .isNotEqualTo(ProcessHandle.current().pid());
    }

    @GridTest(nodes = 1)
    void takesItsFailure(Node node, FailureLog failures) throws InterruptedException {
      ActiveObjects.on(node).create(Worker.class).stumble();
      var failure = failures.take();
      assertThat(failure.call()).contains("stumble");
      assertThat(failure.cause()).isInstanceOf(IllegalStateException.class).hasMessage("no");
    }

    @GridTest(nodes = 1)
    void leavesAFailure(Node node) {
      ActiveObjects.on(node).create(Worker.class).stumble();
    }

    @GridTest(nodes = 1)
    void leavesAFailureUnderWay(Node node) {
      release = SlowFailure::releaseNext;
      ActiveObjects.on(node).create(Worker.class).stumbleSlowly();
    }

    @GridTest(jvms = 2)
    void leavesAFailureUnderWayBetweenProcesses(Node first, Node second) {
      Worker one = ActiveObjects.on(first).create(Worker.class);
      release = one::releaseFailure;
      one.pushSlowly(ActiveObjects.on(second).create(Worker.class));
    }

    @GridTest(nodes = 1)
    void leavesAnObjectThatComputes(Node node) {
      ActiveObjects.on(node).create(Worker.class).computeForEver();
    }

    @GridTest(nodes = 2, seconds = 1)
    void waitsForEver(Node node) throws InterruptedException {
      ActiveObjects.on(node).create(Worker.class).waitForEver();
    }

    @GridTest(nodes = 1)
    void failsByItself(Node node) {
      Worker worker = ActiveObjects.on(node).create(Worker.class);
      assertThat(worker.name()).isEqualTo("another");
    }

    @GridTest(nodes = 1)
    void wantsAGridOfProcesses(Grid grid) {}

    @GridTest
    void saysNothing() {}

    @GridTest(jvms = 2)
    void takesTheFailuresOfProcesses(Node first, Node second, FailureLog failures)
        throws InterruptedException {
      Worker one = ActiveObjects.on(first).create(Worker.class);
      one.push(ActiveObjects.on(second).create(Worker.class));
      var failure = failures.take();
      assertThat(failure.call()).contains("stumble").contains("called from node '");
      assertThat(failure.cause()).isInstanceOf(RemoteFailure.class).hasMessageContaining("no");
    }
  }

  private static void passes(String method, Class<?>... parameters) {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(Samples.class, method(method, parameters)))
        .execute()
        .testEvents()
        .assertStatistics(events -> events.started(1).succeeded(1));
  }

  /** Runs a sample that fails, and returns its exception. */
  private static Throwable failure(String method, Class<?>... parameters) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(Samples.class, method(method, parameters)))
        .execute()
        .testEvents()
        .failed()
        .stream()
        .findFirst()
        .orElseThrow()
        .getRequiredPayload(TestExecutionResult.class)
        .getThrowable()
        .orElseThrow();
  }

  /**
   * Runs a sample that fails for a failure that is under way when the test method ends, and arrives
   * when the extension waits for it.
   */
  private static Throwable lateFailure(String method, Class<?>... parameters)
      throws InterruptedException {
    var tester = Thread.currentThread();
    var isOver = new AtomicBoolean();
    var releasing =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  Polling.until(
                      "the extension waits", () -> isOver.get() || waitsForReports(tester));
                  try {
                    if (!isOver.get()) {
                      release.now();
                    }
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e); // nothing interrupts this thread
                  }
                });
    try {
      return failure(method, parameters);
    } finally {
      isOver.set(true);
      releasing.join();
      SlowFailure.release();
    }
  }

  private static boolean waitsForReports(Thread tester) {
    return tester.getState() == Thread.State.TIMED_WAITING
        && Stream.of(tester.getStackTrace())
            .anyMatch(
                frame ->
                    frame.getClassName().equals(GridQuiescence.class.getName())
                        && frame.getMethodName().equals("awaitReports"));
  }

  private static Method method(String name, Class<?>... parameters) {
    try {
      return Samples.class.getDeclaredMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String state(Throwable failure) {
    assertThat(failure.getSuppressed()).isNotEmpty();
    return failure.getSuppressed()[0].getMessage();
  }

  @Test
  void startsNodesInTheJvmOfTheTest() {
    passes("hasNodes", Nodes.class, LocalNodes.class, Node.class, FailureLog.class, Node.class);
  }

  @Test
  void startsProcesses() {
    passes("hasProcesses", Grid.class, Nodes.class, Node.class, Node.class);
  }

  @Test
  void givesFailuresToTheTestThatExpectsThem() {
    passes("takesItsFailure", Node.class, FailureLog.class);
  }

  @Test
  void givesFailuresOfOtherProcesses() {
    passes("takesTheFailuresOfProcesses", Node.class, Node.class, FailureLog.class);
  }

  @Test
  void failsForAFailureThatTheTestHasNotTaken() {
    assertThat(failure("leavesAFailure", Node.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a failure without an observer")
        .hasMessageContaining("stumble")
        .hasMessageContaining("IllegalStateException: no");
  }

  @Test
  void waitsForAFailureUnderWay() throws InterruptedException {
    assertThat(lateFailure("leavesAFailureUnderWay", Node.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a failure without an observer")
        .hasMessageContaining("stumbleSlowly")
        .hasMessageContaining("SlowFailure: late");
  }

  @Test
  void waitsForAFailureUnderWayBetweenProcesses() throws InterruptedException {
    assertThat(lateFailure("leavesAFailureUnderWayBetweenProcesses", Node.class, Node.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("stumbleSlowly")
        .hasMessageContaining("called from node '")
        .hasMessageContaining("late");
  }

  @Test
  void failsForAnObjectThatStillHasRequests() {
    var failure = failure("leavesAnObjectThatComputes", Node.class);

    assertThat(failure)
        .hasMessageContaining("an object still has requests a second after the test")
        .hasMessageContaining(
            "GridTestTest$Worker on node 'node-1': serves Worker.computeForEver()");
    assertThat(state(failure)).contains("computeForEver");
  }

  @Test
  void interruptsATestThatTakesTooLongAndShowsItsWaits() {
    var failure = failure("waitsForEver", Node.class);

    assertThat(failure).hasMessageContaining("took longer than 1 s");
    assertThat(state(failure)).contains("== node 'node-1'").contains("Worker.waitForEver");
  }

  @Test
  void showsTheStateBesideAFailureOfTheTest() {
    var failure = failure("failsByItself", Node.class);

    assertThat(failure).hasMessageContaining("another");
    assertThat(state(failure)).contains("Worker (number ").contains("== node 'main'");
  }

  @Test
  void namesTheRemedyForAParameterOfTheOtherKind() {
    assertThat(failure("wantsAGridOfProcesses", Grid.class))
        .hasMessageContaining("a parameter of type Grid needs @GridTest(jvms = ...)");
  }

  @Test
  void refusesATestWithoutNodes() {
    assertThat(failure("saysNothing"))
        .hasMessageContaining("@GridTest(nodes = 0, jvms = 0, seconds = 60): give a number");
  }
}
