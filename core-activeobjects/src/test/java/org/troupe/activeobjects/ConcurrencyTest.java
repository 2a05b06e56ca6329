package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConcurrencyTest {

  private static final AtomicInteger inside = new AtomicInteger();
  private static final AtomicInteger most = new AtomicInteger();

  static class Table {
    private final List<String> log = java.util.Collections.synchronizedList(new ArrayList<>());

    @Concurrent("read")
    int read(Gate gate) {
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      gate.pass();
      inside.decrementAndGet();
      log.add("read");
      return 1;
    }

    @Concurrent("read")
    int look() {
      return 2;
    }

    @Concurrent(value = "count", with = "read")
    int count() {
      return 3;
    }

    @Concurrent("other")
    int other() {
      return 4;
    }

    int write() {
      log.add("write " + inside.get());
      return 5;
    }

    @Immediate
    List<String> log() {
      return new ArrayList<>(log);
    }

    @Immediate
    boolean isImmediate() {
      return true;
    }
  }

  static class Plain {
    void hold(Gate gate) {
      gate.pass();
    }

    @Immediate
    int immediate() {
      return 1;
    }
  }

  private final Table table = ActiveObjects.here().create(Table.class);
  private final Ref<Table> ref = ActiveObjects.ref(table);

  @BeforeEach
  void reset() {
    Gate.closeAll();
    inside.set(0);
    most.set(0);
  }

  private static void assertStillWaits(CompletableFuture<?> future) {
    assertThatThrownBy(() -> future.get(20, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void compatibleMethodsAreServedSideBySide() {
    var reading = ref.ask(t -> t.read(Gate.ONE));
    Gate.ONE.awaitArrival();
    assertThat(table.look()).isEqualTo(2);
    assertThat(table.count()).as("compatible by 'with'").isEqualTo(3);
    Gate.ONE.open();
    assertThat(reading.join()).isEqualTo(1);
  }

  @Test
  void incompatibleOnesKeepTheirOrder() {
    var reading = ref.ask(t -> t.read(Gate.ONE));
    Gate.ONE.awaitArrival();
    var other = ref.ask(Table::other);
    var writing = ref.ask(Table::write);
    var behind = ref.ask(Table::look);
    assertStillWaits(other);
    assertStillWaits(writing);
    assertStillWaits(behind);
    assertThat(table.isImmediate()).isTrue();
    Gate.ONE.open();
    assertThat(behind.join()).isEqualTo(2);
    assertThat(writing).isDone();
    assertThat(other).isDone();
    assertThat(table.log()).containsExactly("read", "write 0");
  }

  @Test
  void parallelismIsBounded() {
    var two =
        ActiveObjects.ref(
            ActiveObjects.here().with(Options.STANDARD.withParallelism(2)).create(Table.class));
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (var i = 0; i < 10; i++) {
      all.add(two.ask(t -> t.read(Gate.ONE)));
    }
    Gate.ONE.awaitArrival();
    var look = two.ask(Table::look);
    Gate.ONE.open();
    all.forEach(CompletableFuture::join);
    assertThat(look.join()).isEqualTo(2);
    assertThat(most.get()).isBetween(1, 2);
  }

  @Test
  void aLongQueueIsNotLookedThroughForEveryRequest() {
    var reading = ref.ask(t -> t.read(Gate.ONE));
    Gate.ONE.awaitArrival();
    CompletableFuture<Integer> last = null;
    for (var i = 0; i < 10_000; i++) {
      last = ref.ask(i % 2 == 0 ? Table::write : Table::other);
    }
    Gate.ONE.open();
    assertThat(last.join()).isEqualTo(4);
    assertThat(reading.join()).isEqualTo(1);
  }

  @Test
  void immediateMethodsPassTheQueueOfAnyObject() {
    var plain = ActiveObjects.here().create(Plain.class);
    plain.hold(Gate.ONE);
    assertThat(plain.immediate()).isEqualTo(1);
    Gate.ONE.open();
  }

  @Test
  void terminationWaitsForAllThatRunBeside() {
    var reading = ref.ask(t -> t.read(Gate.ONE));
    Gate.ONE.awaitArrival();
    var end = ref.terminate();
    assertStillWaits(end);
    Gate.ONE.open();
    end.join();
    assertThat(reading.join()).isEqualTo(1);
    assertThatThrownBy(table::look).isInstanceOf(ObjectTerminatedException.class);
    assertThatThrownBy(() -> table.isImmediate()).isInstanceOf(ObjectTerminatedException.class);
  }

  static class Both {
    @Immediate
    @Concurrent("x")
    void both() {}
  }

  @Test
  void aMethodCannotBeBoth() {
    assertThatThrownBy(() -> ActiveObjects.here().create(Both.class))
        .isInstanceOf(UnsuitableClassException.class)
        .hasMessageContaining("'both' is both @Immediate and @Concurrent");
  }

  @Test
  void explainNamesTheRules() {
    assertThat(ActiveObjects.explain(Table.class))
        .contains(
            "served at once, beside all others",
            "served beside those of [count, read]",
            "served beside those of [other]");
  }
}
