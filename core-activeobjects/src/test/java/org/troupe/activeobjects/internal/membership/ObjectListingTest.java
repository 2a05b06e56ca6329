package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObjectReport.ObjectLine;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Nodes report on their objects. */
@Timeout(60)
class ObjectListingTest {

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  /** Waits at a gate, and fails on request. */
  public static class Worker {
    public void step() {}

    public void waitAt(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public void fail() {
      throw new IllegalStateException("a failure of the test");
    }
  }

  /** Serves nothing. */
  public static class Pair {}

  /** Serves several requests at once. */
  public static class Pool {
    @Concurrent("waits")
    public void waitAt(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }
  }

  /** Has a service loop. */
  public static class Loop implements Service {
    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      while (queue.isOpen()) {
        queue.serveOldest();
      }
    }

    public void waitAt(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }
  }

  /** Computes in its loop as soon as it has served a request. */
  public static class Computation implements Service {
    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      queue.serveOldest();
      Waits.await(Cell.gate("computed"), "the gate of the computation");
      while (queue.isOpen()) {
        queue.serveOldest();
      }
    }

    public void begin() {}
  }

  private String shown(String type) {
    return ask(1, type, 1).objects().getFirst().serving();
  }

  private ObjectReport ask(int node, String type, int most) {
    return valueOf(grid.member(0).objects(grid.get(node), new ObjectQuery(type, most)), "report");
  }

  private Worker worker(Options options) {
    return ActiveObjects.on(grid.get(1)).with(options).create(Worker.class);
  }

  @Test
  void aFewOfManyAreDescribedWithTheLongestQueuesFirst() {
    var workers = Stream.generate(() -> worker(Options.STANDARD)).limit(50).toList();
    workers.get(17).waitAt("long");
    workers.get(23).waitAt("long");
    for (var i = 0; i < 5; i++) {
      workers.get(17).step();
      workers.get(23).step();
    }
    workers.get(17).step();
    Waits.until(() -> ask(1, "", 0).total().queued() == 11, "the queues");

    var report = ask(1, "Worker", 3);

    assertThat(report.total()).isEqualTo(new ObjectReport.ClassTotal("", 50, 11, 2));
    assertThat(report.classes())
        .containsExactly(new ObjectReport.ClassTotal(Worker.class.getName(), 50, 11, 2));
    assertThat(report.objects()).extracting(ObjectLine::queued).containsExactly(6, 5, 0);
    assertThat(report.objects())
        .extracting(ObjectLine::serving)
        .containsExactly("Worker.waitAt(String)", "Worker.waitAt(String)", "");
    assertThat(report.objects().getFirst().servingSeconds()).isGreaterThanOrEqualTo(0);
    assertThat(report.objects().getLast().servingSeconds()).isNegative();
    assertThat(report.uncounted()).isZero();
    Cell.gate("long").countDown();
    Waits.until(() -> ask(1, "", 0).total().serving() == 0, "the end of the service");
  }

  @Test
  void otherClassesAreLeftOut() {
    worker(Options.STANDARD).step();
    ActiveObjects.on(grid.get(1)).create(Cell.class);

    assertThat(ask(1, Worker.class.getName(), 9).objects()).hasSize(1);
    assertThat(ask(1, "Missing", 9).objects()).isEmpty();
    assertThat(ask(1, "", 9).classes())
        .extracting(ObjectReport.ClassTotal::type)
        .containsExactlyInAnyOrder(Worker.class.getName(), Cell.class.getName());
  }

  @Test
  void concurrentRequestsAndServiceLoopsAreShown() {
    var pool = ActiveObjects.on(grid.get(1)).create(Pool.class);
    var loop = ActiveObjects.on(grid.get(1)).create(Loop.class);
    pool.waitAt("both");
    pool.waitAt("both");
    loop.waitAt("both");
    Waits.until(() -> ask(1, "", 0).total().serving() == 2, "the service");
    Waits.until(
        () ->
            ask(1, "Pool", 1)
                .objects()
                .getFirst()
                .serving()
                .equals("Pool.waitAt(String) and 1 more"),
        "both requests");

    assertThat(ask(1, "Loop", 1).objects().getFirst().serving()).isEqualTo("Loop.waitAt(String)");
    Cell.gate("both").countDown();
  }

  @Test
  void aLoopIsShownWhileItComputesAndNotWhileItWaits() {
    var computation = ActiveObjects.on(grid.get(1)).create(Computation.class);
    Waits.until(() -> shown("Computation").isEmpty(), "the wait for the first request");
    computation.begin();
    Waits.until(() -> shown("Computation").equals("Computation.serve(..) itself"), "the loop");
    assertThat(ask(1, "Computation", 1).objects().getFirst().servingSeconds()).isNegative();

    Cell.gate("computed").countDown();

    Waits.until(() -> shown("Computation").isEmpty(), "the wait for another request");
  }

  @Test
  void namesOptionsAndRestartsAreShown(LogRecords records) {
    records.allow(Level.WARNING, "has failed and is restarted");
    var worker =
        worker(
            Options.STANDARD
                .withQueueBound(7)
                .withRestart(Restart.here().on(IllegalStateException.class))
                .leavingAlong());
    ActiveObjects.register(grid.get(1), "first", worker);
    ActiveObjects.register(grid.get(1), "second", worker);
    worker.fail();
    Waits.until(() -> ask(1, "", 1).objects().getFirst().restarts() == 1, "the restart");

    var line = ask(1, "", 1).objects().getFirst();

    assertThat(line.names()).containsExactlyInAnyOrder("first", "second");
    assertThat(line.options()).isEqualTo("bound 7, restarted, leaving along");
    assertThat(line.identity()).startsWith("node-2/");
  }

  @Test
  void keysLogsAndSleepOfKeptObjectsAreShown(@TempDir Path folder) {
    var kept =
        Options.STANDARD.withKeep(Keep.calls(Store.directory(folder))).withRestart(Restart.here());
    var named = ActiveObjects.on(grid.get(1)).with(kept).named("17", Worker.class);
    named.step();
    ActiveObjects.on(grid.get(1)).with(kept.withIdle(Duration.ofMillis(10))).create(Pair.class);
    Waits.until(
        () -> ask(1, "Pair", 1).objects().getFirst().isAsleep(), "the sleep of the other object");

    Waits.until(
        () -> ask(1, "Worker", 1).objects().getFirst().logBytes() > 0, "the logged request");
    var line = ask(1, "Worker", 1).objects().getFirst();

    assertThat(line.key()).isEqualTo("17");
    assertThat(line.isAsleep()).isFalse();
    assertThat(line.options()).endsWith("kept");
    assertThat(ask(1, "Pair", 1).objects().getFirst().key()).isEmpty();
  }

  @Test
  void anObjectThatHasMovedKeepsItsIdentityAndLeavesAForwarder() {
    var worker = worker(Options.STANDARD);
    ActiveObjects.register(grid.get(1), "mover", worker);
    var before = ask(1, "", 1).objects().getFirst();

    valueOf(ActiveObjects.ref(worker).move(grid.get(0).id()), "the move");

    var left = ask(1, "Worker", 9);
    var after = ask(0, "Worker", 9).objects().getFirst();
    assertThat(left.objects()).isEmpty();
    assertThat(left.forwarders()).isEqualTo(1);
    assertThat(left.names()).containsExactly(new ObjectReport.Name("mover", before.identity()));
    assertThat(after.identity()).isEqualTo(before.identity());
    assertThat(after.moves()).isEqualTo(1);
    assertThat(after.names()).isEmpty();
  }

  @Test
  void aRestartOnAnotherNodeIsARestartAndNoMove(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    var worker = worker(Options.STANDARD.withRestart(Restart.elsewhere()));
    worker.step();

    grid.kill(1);
    Waits.until(() -> ask(0, "Worker", 1).total().objects() == 1, "the object made anew");

    var line = ask(0, "Worker", 1).objects().getFirst();
    assertThat(line.moves()).isZero();
    assertThat(line.restarts()).isEqualTo(1);
  }

  @Test
  void aReplayIsShownWithItsProgress(@TempDir Path folder, LogRecords records) {
    records.allow(Level.WARNING, "has failed and is restarted");
    var kept =
        Options.STANDARD
            .withKeep(Keep.calls(Store.directory(folder)))
            .withRestart(Restart.here().on(IllegalStateException.class));
    var worker = ActiveObjects.on(grid.get(1)).with(kept).named("18", Worker.class);
    var gate = Cell.gate("replayed");
    worker.step();
    worker.step();
    worker.waitAt("first service");
    Cell.gate("first service").countDown();
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.REPLAYED && gate.getCount() > 0) {
            Waits.await(gate, "the gate within the replay");
          }
        });
    try {
      worker.fail();
      Waits.until(
          () -> shown("Worker").matches("replaying [0-3] of [3-5]"), "the progress of the replay");
    } finally {
      gate.countDown();
      RestartStep.follow(null);
    }

    Waits.until(() -> shown("Worker").isEmpty(), "the end of the replay");
  }

  @Test
  void aQuestionForTooManyIsRefused() {
    assertThatThrownBy(() -> new ObjectQuery("", ObjectQuery.MOST + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 to 10000");
    assertThat(List.of(new ObjectQuery("", 0).asksFor(Worker.class))).containsExactly(true);
  }
}
