package org.troupe.activeobjects.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.hosting.TraceEntry;
import org.troupe.activeobjects.hosting.TracePart;

@Timeout(60)
class CallTraceTest {

  private static final int RING = 1 << 16;

  private final CallTrace trace = new CallTrace();

  private void add(long value) {
    trace.add(
        value,
        "Type",
        "method " + value % 3,
        value,
        value + 1,
        "Caller",
        "n" + value % 2,
        value,
        value,
        value,
        false,
        false);
  }

  @Test
  void returnsCallsAsTheyWereRecorded() {
    trace.add(
        1L << 50, "acme.Worker", "Worker.step()", 7, 3, "acme.Main", "n2", 10, 20, 30, true, false);
    trace.add(0, "acme.Worker", "Worker.end()", 7, 0, "", "n1", 10, 20, 30, false, true);

    var part = trace.from(1, 10);

    assertThat(part.entries())
        .containsExactly(
            new TraceEntry.Service(
                1,
                1L << 50,
                "acme.Worker",
                "Worker.step()",
                7,
                3,
                "acme.Main",
                "n2",
                10,
                20,
                30,
                true,
                false),
            new TraceEntry.Service(
                2, 0, "acme.Worker", "Worker.end()", 7, 0, "", "n1", 10, 20, 30, false, true));
    assertThat(part.dropped()).isZero();
    assertThat(part.next()).isEqualTo(3);
  }

  @Test
  void returnsWaitsBetweenTheCalls() {
    add(1);
    trace.addWait("acme.Worker", "Worker.total() on node 'n2'", 7, 20, 30);
    add(2);

    assertThat(trace.from(2, 1).entries())
        .containsExactly(
            new TraceEntry.Wait(2, "acme.Worker", "Worker.total() on node 'n2'", 7, 20, 30));
    assertThat(services(trace.from(1, 10))).hasSize(2);
  }

  @Test
  void namesMethodsAfterWaitsForAnyNumberOfObjects() {
    for (var i = 1; i <= 20_000; i++) {
      trace.addWait("acme.Main", "the end of Worker " + i, 7, 20, 30);
    }
    add(1);

    assertThat(services(trace.from(20_001, 1)))
        .extracting(TraceEntry.Service::method)
        .containsExactly("method 1");
    assertThat(trace.from(1, 1).entries())
        .containsExactly(new TraceEntry.Wait(1, "acme.Main", "the end of Worker 1", 7, 20, 30));
    assertThat(trace.from(20_000, 1).entries())
        .containsExactly(new TraceEntry.Wait(20_000, "acme.Main", "other", 7, 20, 30));
  }

  private static List<TraceEntry.Service> services(TracePart part) {
    return part.entries().stream()
        .filter(TraceEntry.Service.class::isInstance)
        .map(TraceEntry.Service.class::cast)
        .toList();
  }

  @Test
  void continuesWhereThePartBeforeEnded() {
    for (var i = 1; i <= 5; i++) {
      add(i);
    }
    var first = trace.from(1, 3);
    var second = trace.from(first.next(), 3);

    assertThat(services(first)).extracting(TraceEntry.Service::object).containsExactly(1L, 2L, 3L);
    assertThat(services(second)).extracting(TraceEntry.Service::object).containsExactly(4L, 5L);
    assertThat(trace.from(second.next(), 3).entries()).isEmpty();
  }

  @Test
  void countsCallsThatWereOverwritten() {
    for (var i = 1; i <= RING + 100; i++) {
      add(i);
    }

    var part = trace.from(1, 10);

    assertThat(part.dropped()).isEqualTo(100);
    assertThat(part.entries().getFirst().number()).isEqualTo(101);
  }

  @Test
  void everyCallOfConcurrentWritersIsReturnedOrCounted() {
    var writers = new ArrayList<CompletableFuture<Void>>();
    for (var writer = 0; writer < 4; writer++) {
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (var i = 1; i <= RING / 2; i++) {
                  add(i);
                }
              },
              Thread::startVirtualThread));
    }
    var all = CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
    var seen = 0L;
    var next = 1L;
    while (!all.isDone() || next < trace.next()) {
      var part = trace.from(next, 1_000);
      for (var call : services(part)) {
        assertThat(call.acceptedNanos()).isEqualTo(call.object());
        assertThat(call.endedNanos()).isEqualTo(call.object());
        assertThat(call.method()).isEqualTo("method " + call.object() % 3);
      }
      seen += part.entries().size() + part.dropped();
      next = part.next();
    }
    all.join();

    assertThat(seen).isEqualTo(2L * RING);
  }

  @Test
  void aWriterThatIsOvertakenByARoundDelaysNoReader() {
    var overtaken = trace.begin();
    for (var i = 2; i <= RING + 1; i++) {
      add(i);
    }
    trace.publish(overtaken);

    var part = trace.from(1, 2 * RING);

    assertThat(part.next()).isEqualTo(RING + 2);
    assertThat(services(part)).hasSize(RING - 1).allMatch(call -> call.number() == call.object());
    assertThat(part.dropped()).isEqualTo(2); // the overtaken call and the one of the next round

    for (var i = RING + 2; i <= 2 * RING + 1; i++) {
      add(i);
    }
    assertThat(trace.from(part.next(), RING).entries()).hasSize(RING);
  }
}
