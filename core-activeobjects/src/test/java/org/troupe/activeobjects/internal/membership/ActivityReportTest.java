package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.FailureGroup.Kind;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeActivity.MethodLine;
import org.troupe.activeobjects.hosting.NodeActivity.QueueLine;
import org.troupe.activeobjects.hosting.NodeActivity.WaitLine;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.TraceEntry;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Nodes report what they do. */
@Timeout(60)
class ActivityReportTest {

  private static final Duration VISIT = Duration.ofMillis(200);

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    TierSwitch.set(ObservationTier.COUNTS);
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    grid.close();
    TierSwitch.set(ObservationTier.STANDARD);
  }

  /** An interface by which workers are called, too. */
  public interface Stepper {
    void step();
  }

  /** Waits at a gate, and fails on request. */
  public static class Worker implements Stepper {
    @Override
    public void step() {}

    public int count() {
      return 1;
    }

    public int fail() {
      throw new IllegalStateException("a failure of the test");
    }

    public void failOneWay() {
      throw new IllegalStateException("a failure of the test");
    }

    public void waitAt(String gate) {
      Cell.gate("at " + gate).countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public int countOf(Worker other) {
      return other.count();
    }

    @Immediate
    public int now() {
      return 2;
    }
  }

  /** Serves requests that no other test has timed. */
  public static class Clocked {
    public void step() {}

    public int count() {
      return 1;
    }
  }

  /** Serves one request. */
  public static class Single {
    public void step() {}
  }

  /** Serves several requests at once. */
  public static class Pool {
    @Concurrent("counts")
    public int count() {
      return 1;
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

    public int count() {
      return 1;
    }
  }

  private NodeReport report(int node) {
    return Waits.reportOf(grid.member(0).report(grid.get(node), VISIT));
  }

  private NodeActivity activity(int node) {
    return report(node).activity();
  }

  private MethodLine method(int node, Class<?> type, String method) {
    return activity(node).methods().stream()
        .filter(each -> each.type().equals(type.getName()) && each.method().equals(method))
        .findFirst()
        .orElse(null);
  }

  private Worker worker(int node) {
    return ActiveObjects.on(grid.get(node)).create(Worker.class);
  }

  @Test
  void requestsAreCountedByMethodAsSoonAsTheirCallersHaveTheAnswers() {
    var worker = worker(1);
    for (var i = 1; i <= 1_000; i++) {
      worker.count();
      if (i % 100 == 0) {
        assertThat(method(1, Worker.class, "count()").served()).isEqualTo(i);
      }
    }
    var line = method(1, Worker.class, "count()");

    assertThat(line.accepted()).isEqualTo(1_000);
    assertThat(line.failed()).isZero();
    assertThat(line.waits().samples()).isZero();
  }

  @Test
  void oneWayRequestsOfManySendersAreCountedExactly() {
    var worker = worker(1);
    var senders =
        IntStream.range(0, 4)
            .mapToObj(
                _ ->
                    Waits.onVirtualThread(
                        () -> {
                          for (var i = 0; i < 5_000; i++) {
                            worker.step();
                          }
                          return true;
                        }))
            .toList();
    senders.forEach(each -> valueOf(each, "a sender"));
    worker.count();

    assertThat(method(1, Worker.class, "step()").served()).isEqualTo(20_000);
  }

  @Test
  void requestsOfManyObjectsOfOneClassAreCountedTogether() {
    var workers = Stream.generate(() -> worker(1)).limit(200).toList();
    for (var round = 0; round < 50; round++) {
      workers.forEach(Worker::step);
    }
    workers.forEach(Worker::count);

    assertThat(method(1, Worker.class, "step()").served()).isEqualTo(10_000);
    assertThat(method(1, Worker.class, "count()").served()).isEqualTo(200);
  }

  @Test
  void failuresAreCountedAmongTheServed() {
    var worker = worker(1);
    for (var i = 0; i < 40; i++) {
      ActiveObjects.ref(worker).ask(Worker::fail).exceptionally(_ -> 0).join();
    }
    var line = method(1, Worker.class, "fail()");

    assertThat(line.served()).isEqualTo(40);
    assertThat(line.failed()).isEqualTo(40);
  }

  @Test
  void callsByAnInterfaceCountAsCallsOfTheClass() {
    var worker = worker(1);
    Stepper stepper = worker;
    worker.step();
    stepper.step();
    worker.count();

    assertThat(method(1, Worker.class, "step()").served()).isEqualTo(2);
  }

  @Test
  void everyKindOfServiceIsCounted() {
    var worker = worker(1);
    var pool = ActiveObjects.on(grid.get(1)).create(Pool.class);
    var loop = ActiveObjects.on(grid.get(1)).create(Loop.class);
    var local = ActiveObjects.here().create(Worker.class);
    for (var i = 0; i < 300; i++) {
      worker.now();
      pool.count();
      loop.count();
      local.count();
    }

    assertThat(method(1, Worker.class, "now()").served()).isEqualTo(300);
    assertThat(method(1, Pool.class, "count()").served()).isEqualTo(300);
    assertThat(method(1, Loop.class, "count()").served()).isEqualTo(300);
  }

  @Test
  void whatIsQueuedAndServedIsAcceptedAndShown() {
    var worker = worker(1);
    worker.waitAt("queue of activity");
    Waits.await(Cell.gate("at queue of activity"), "the request at the gate");
    for (var i = 0; i < 7; i++) {
      worker.step();
    }
    Waits.until(
        () -> activity(1).queues().stream().anyMatch(each -> each.queued() == 7), "the queue");
    var queue = activity(1).queues().getFirst();

    assertThat(queue.type()).isEqualTo(Worker.class.getName());
    assertThat(queue.serving()).isEqualTo("Worker.waitAt(String)");
    assertThat(queue.caller()).isEqualTo("node '" + grid.coordinator().self().name() + "'");
    assertThat(method(1, Worker.class, "step()").accepted()).isEqualTo(7);
    assertThat(method(1, Worker.class, "step()").served()).isZero();
    assertThat(method(1, Worker.class, "waitAt(String)").accepted()).isEqualTo(1);
    assertThat(report(1).queued()).isEqualTo(7);

    Cell.gate("queue of activity").countDown();
    worker.count();
    assertThat(activity(1).queues()).extracting(QueueLine::queued).doesNotContain(7);
  }

  @Test
  void anObjectThatWaitsIsShownWithItsCaller() {
    var waiting = worker(0);
    var busy = worker(1);
    busy.waitAt("wait of activity");
    Waits.await(Cell.gate("at wait of activity"), "the request at the gate");
    var answer = ActiveObjects.ref(waiting).ask(each -> each.countOf(busy));
    Waits.until(() -> !activity(0).waits().isEmpty(), "the wait");

    assertThat(activity(0).waits())
        .singleElement()
        .satisfies(
            wait -> {
              assertThat(wait.type()).isEqualTo(Worker.class.getName());
              assertThat(wait.serving()).isEqualTo("Worker.countOf(Worker)");
              assertThat(wait.awaited()).contains("count");
              assertThat(wait.waitingMicros()).as("known before a heartbeat").isNotNegative();
              assertThat(wait.leastMicros()).as("of the same wait").isPositive();
            });
    Waits.until(
        () ->
            activity(1).queues().stream()
                .anyMatch(each -> each.queued() == 1 && each.serving().contains("waitAt")),
        "the queue");
    Cell.gate("wait of activity").countDown();
    assertThat(valueOf(answer, "the count")).isEqualTo(1);
    assertThat(activity(0).waits()).extracting(WaitLine::type).isEmpty();
  }

  @Test
  void aServiceThatGoesOnIsToldFromTheNextOneOfItsMethod() {
    var worker = worker(1);
    worker.waitAt("first of two services");
    Waits.await(Cell.gate("at first of two services"), "the first request at its gate");

    assertThat(served(1).leastMicros()).as("in the first report").isZero();
    assertThat(served(1).leastMicros()).as("of the same request").isPositive();

    worker.waitAt("second of two services");
    Cell.gate("first of two services").countDown();
    Waits.await(Cell.gate("at second of two services"), "the second request at its gate");
    assertThat(served(1))
        .satisfies(
            each -> {
              assertThat(each.serving()).isEqualTo("Worker.waitAt(String)");
              assertThat(each.leastMicros()).as("of another request").isZero();
            });
    assertThat(served(1).leastMicros()).isPositive();

    Cell.gate("second of two services").countDown();
  }

  private QueueLine served(int node) {
    return activity(node).queues().getFirst();
  }

  @Test
  void timesAreMeasuredInTheirTierOnly() {
    var worker = ActiveObjects.on(grid.get(1)).create(Clocked.class);
    worker.count();
    assertThat(method(1, Clocked.class, "count()").services().samples()).isZero();

    valueOf(grid.coordinator().observe(grid.get(1), ObservationTier.TIMES), "the tier");
    worker.step();
    worker.count();
    var line = method(1, Clocked.class, "count()");

    assertThat(activity(1).tier()).isEqualTo(ObservationTier.TIMES);
    assertThat(line.services().samples()).isEqualTo(1);
    assertThat(line.services().medianNanos()).isPositive();
    assertThat(line.waits().samples()).isEqualTo(1);
    assertThat(method(1, Clocked.class, "step()").services().samples()).isEqualTo(1);
  }

  @Test
  void afterTheFirstRequestsASampleStandsForTheRest() {
    TierSwitch.set(ObservationTier.TIMES);
    var worker = worker(1);
    for (var i = 0; i < 20_000; i++) {
      worker.step();
    }
    worker.count();
    var line = method(1, Worker.class, "step()");

    assertThat(line.served()).isEqualTo(20_000);
    assertThat(line.services().samples()).isBetween(10_000L, 40_000L);
  }

  @Test
  void objectsThatServeOneRequestEachAreSampled() {
    TierSwitch.set(ObservationTier.TIMES);
    for (var i = 0; i < 20_000; i++) {
      ActiveObjects.on(grid.get(0)).create(Single.class).step();
    }
    Waits.until(() -> method(0, Single.class, "step()").served() == 20_000, "all requests");

    assertThat(method(0, Single.class, "step()").services().samples()).isBetween(10_000L, 40_000L);
  }

  @Test
  void nothingIsRecordedWhenItIsOff() {
    TierSwitch.set(ObservationTier.OFF);
    var worker = worker(1);
    for (var i = 0; i < 100; i++) {
      worker.count();
    }
    assertThat(activity(1).methods()).isEmpty();

    TierSwitch.set(ObservationTier.COUNTS);
    worker.count();
    assertThat(method(1, Worker.class, "count()").served()).isEqualTo(1);
  }

  @Test
  void everyRequestIsTracedInItsTier() {
    TierSwitch.set(ObservationTier.TRACE);
    var worker = worker(1);
    for (var i = 0; i < 100; i++) {
      worker.count();
    }
    assertThat(services(1))
        .hasSize(100)
        .allSatisfy(
            call -> {
              assertThat(call.type()).isEqualTo(Worker.class.getName());
              assertThat(call.method()).isEqualTo("Worker.count()");
              assertThat(call.callId()).isNotZero();
              assertThat(call.isOneWay()).isFalse();
              assertThat(call.acceptedNanos()).isLessThanOrEqualTo(call.beganNanos());
              assertThat(call.beganNanos()).isLessThanOrEqualTo(call.endedNanos());
            });
  }

  @Test
  void tracedRequestsOfABatchFollowEachOther() {
    TierSwitch.set(ObservationTier.TRACE);
    var worker = worker(1);
    var ref = ActiveObjects.ref(worker);
    ref.tell(each -> each.waitAt("batch"));
    for (var i = 0; i < 100; i++) {
      worker.step();
    }
    Cell.gate("batch").countDown();
    worker.count();

    var served = services(1);
    assertThat(served).hasSize(102);
    for (var i = 1; i < served.size(); i++) {
      assertThat(served.get(i).acceptedNanos()).isLessThanOrEqualTo(served.get(i).beganNanos());
      assertThat(served.get(i).beganNanos()).isGreaterThanOrEqualTo(served.get(i - 1).endedNanos());
      assertThat(served.get(i).endedNanos()).isGreaterThanOrEqualTo(served.get(i).beganNanos());
    }
  }

  private List<TraceEntry> entries(int node) {
    return valueOf(grid.member(0).trace(grid.get(node), 1, TracePart.MOST), "the trace").entries();
  }

  private List<TraceEntry.Service> services(int node) {
    return entries(node).stream()
        .filter(TraceEntry.Service.class::isInstance)
        .map(TraceEntry.Service.class::cast)
        .toList();
  }

  @Test
  void aWaitIsTracedWithinTheServiceThatWaited() {
    TierSwitch.set(ObservationTier.TRACE);
    var counted = worker(1);
    var asker = worker(0);
    valueOf(ActiveObjects.ref(asker).ask(each -> each.countOf(counted)), "the count");

    var service = services(0).getLast();
    assertThat(service.method()).startsWith("Worker.countOf(");
    var wait = (TraceEntry.Wait) entries(0).get(entries(0).indexOf(service) - 1);
    assertThat(wait.awaited()).isEqualTo("Worker.count() on node '" + grid.get(1).name() + "'");
    assertThat(wait.object()).isEqualTo(service.object());
    assertThat(wait.beganNanos()).isBetween(service.beganNanos(), wait.endedNanos());
    assertThat(wait.endedNanos()).isLessThanOrEqualTo(service.endedNanos());
    var served = services(1).getLast();
    assertThat(served.caller()).isEqualTo(service.object());
    assertThat(served.callerNode()).isEqualTo(grid.get(0).name());
  }

  @Test
  void aTraceContinuesAfterItsLastEntry() {
    TierSwitch.set(ObservationTier.TRACE);
    var worker = worker(1);
    worker.count();
    var member = grid.member(0);
    var now = valueOf(member.trace(grid.get(1), Long.MAX_VALUE, 10), "the end of the trace");
    worker.count();

    assertThat(now.entries()).isEmpty();
    assertThat(valueOf(member.trace(grid.get(1), now.next(), 10), "the trace").entries())
        .hasSize(1);
  }

  @Test
  void trafficIsReportedPerNodeWithItsRoundTrip() {
    var listener = worker(1);
    var asker = worker(0);
    valueOf(ActiveObjects.ref(asker).ask(each -> each.countOf(listener)), "the count");
    Waits.until(
        () ->
            activity(0).peers().stream()
                .anyMatch(
                    each ->
                        each.node().equals(grid.get(1).name())
                            && each.messages() > 0
                            && each.bytes() > 0
                            && each.roundTripNanos() > 0),
        "the traffic");
  }

  @Test
  void failuresThatNoCallerObservesAreGrouped() {
    var before = oneWayFailures(); // of other tests with the node of this JVM
    var asker = worker(0);
    for (var i = 0; i < 3; i++) {
      asker.failOneWay();
    }
    asker.count();
    Waits.until(() -> oneWayFailures() == before + 3, "three failures");
  }

  private long oneWayFailures() {
    return launcherFailures().stream()
        .filter(each -> each.kind() == Kind.ONE_WAY && each.call().contains("failOneWay"))
        .mapToLong(FailureGroup::count)
        .sum();
  }

  private List<FailureGroup> launcherFailures() {
    return Waits.reportOf(grid.coordinator().report(grid.coordinator().self(), VISIT))
        .activity()
        .failures();
  }

  @Test
  void aReportSaysWhenItHasArrived() {
    var asked = System.nanoTime();
    var report = grid.member(0).report(grid.get(1), VISIT);

    assertThat(Waits.reportOf(report).upNanos()).isPositive();
    assertThat(report.arrivedNanos() - asked).isBetween(0L, System.nanoTime() - asked);
  }

  @Test
  void aReportOfANodeThatDiesFails() {
    var node = grid.get(1);
    grid.kill(1);

    assertThatThrownBy(() -> Waits.reportOf(grid.member(0).report(node, VISIT)))
        .hasRootCauseInstanceOf(NodeLostException.class);
  }

  @Test
  void theDeathOfANodeIsAFailure() {
    grid.kill(1);
    Waits.until(
        () -> launcherFailures().stream().anyMatch(each -> each.kind() == Kind.DEATH), "the death");
  }

  @Test
  void objectsThatHaveLeftAreNotCounted() {
    var worker = worker(1);
    for (var i = 0; i < 10; i++) {
      valueOf(ActiveObjects.ref(worker).move(grid.get(i % 2).id()), "a move");
    }
    worker.step();

    assertThat(report(0).objects()).isZero();
    assertThat(report(1).objects()).isEqualTo(1);
  }

  @Test
  void aMoveIsAnEventThatNamesTheObject() {
    var worker = worker(1);
    valueOf(ActiveObjects.ref(worker).move(grid.get(0).id()), "the move");

    var events = valueOf(grid.member(0).events(grid.get(0), 0), "the events");
    assertThat(events)
        .extracting(NodeEvent::text)
        .anyMatch(each -> each.matches("a Worker \\(node-2/\\d+\\) has come from node 'node-2'"));
  }

  @Test
  void aShortVisitOfManyObjectsContinuesInTheNextReport() {
    var workers = Stream.generate(() -> worker(1)).limit(3_000).toList();
    workers.get(2_900).waitAt("many of activity");
    Waits.await(Cell.gate("at many of activity"), "the request at the gate");
    var last = new NodeReport[1];
    Waits.until(
        () -> {
          last[0] = Waits.reportOf(grid.member(0).report(grid.get(1), Duration.ZERO));
          return !last[0].activity().queues().isEmpty();
        },
        "the object that serves");

    assertThat(last[0].objects()).isEqualTo(3_000);
    assertThat(last[0].activity().unvisited()).isBetween(1L, 3_000L);
    assertThat(activity(1).unvisited()).isZero();
    Cell.gate("many of activity").countDown();
  }

  @Test
  void objectsThatAreCreatedDuringASweepOfSeveralReportsAreCounted() {
    var first = Stream.generate(() -> worker(1)).limit(1_500).toList();
    assertThat(report(1).objects()).as("in a whole sweep").isEqualTo(1_500);

    assertThat(shortReport().objects()).as("in the first part of a sweep").isEqualTo(1_500);
    var more = Stream.generate(() -> worker(1)).limit(400).toList(); // some behind the cursor
    endSweep();

    assertThat(shortReport().objects()).isEqualTo(first.size() + more.size());
  }

  @Test
  void objectsThatEndDuringASweepOfSeveralReportsAreCountedNoMore() {
    var all = Stream.generate(() -> worker(1)).limit(1_900).toList();
    assertThat(report(1).objects()).as("in a whole sweep").isEqualTo(1_900);

    assertThat(shortReport().objects()).as("in the first part of a sweep").isEqualTo(1_900);
    all.subList(0, 400)
        .forEach(each -> valueOf(ActiveObjects.ref(each).terminate(), "the end")); // some visited
    endSweep();

    assertThat(shortReport().objects()).isEqualTo(1_500);
    all.getLast().step(); // all are referred to until here
  }

  private NodeReport shortReport() {
    return Waits.reportOf(grid.member(0).report(grid.get(1), Duration.ZERO));
  }

  /** Ends a sweep over a table of four parts, of which the first one was visited. */
  private void endSweep() {
    for (var part = 1; part < 4; part++) {
      shortReport();
    }
  }
}
