package org.troupe.activeobjects.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallTraceTest {

  private static final int RING = 1 << 16;

  private final CallTrace trace = new CallTrace();

  private void add(long value) {
    trace.add("method " + value % 3, value, value + 1, "n" + value % 2, value, value, value, false);
  }

  @Test
  void returnsCallsAsTheyWereRecorded() {
    trace.add("Worker.step()", 7, 3, "n2", 10, 20, 30, true);

    var part = trace.from(1, 10);

    assertThat(part.calls())
        .containsExactly(new CallTrace.Call(1, "Worker.step()", 7, 3, "n2", 10, 20, 30, true));
    assertThat(part.dropped()).isZero();
    assertThat(part.next()).isEqualTo(2);
  }

  @Test
  void continuesWhereThePartBeforeEnded() {
    for (var i = 1; i <= 5; i++) {
      add(i);
    }
    var first = trace.from(1, 3);
    var second = trace.from(first.next(), 3);

    assertThat(first.calls()).extracting(CallTrace.Call::object).containsExactly(1L, 2L, 3L);
    assertThat(second.calls()).extracting(CallTrace.Call::object).containsExactly(4L, 5L);
    assertThat(trace.from(second.next(), 3).calls()).isEmpty();
  }

  @Test
  void countsCallsThatWereOverwritten() {
    for (var i = 1; i <= RING + 100; i++) {
      add(i);
    }

    var part = trace.from(1, 10);

    assertThat(part.dropped()).isEqualTo(100);
    assertThat(part.calls().getFirst().number()).isEqualTo(101);
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
      for (var call : part.calls()) {
        assertThat(call.acceptedNanos()).isEqualTo(call.object());
        assertThat(call.endedNanos()).isEqualTo(call.object());
        assertThat(call.method()).isEqualTo("method " + call.object() % 3);
      }
      seen += part.calls().size() + part.dropped();
      next = part.next();
    }
    all.join();

    assertThat(seen).isEqualTo(2L * RING);
  }
}
