package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitCycleTest {

  private static final Duration SHORT = Duration.ofMillis(20);

  static class Link {
    private static CyclicBarrier together;

    private Link next;

    void next(Link other) {
      next = other;
    }

    int own() {
      return ActiveObjects.self(Link.class).stub().number();
    }

    int number() {
      return 1;
    }

    @Immediate
    int immediate() {
      return 2;
    }

    int ownImmediate() {
      return ActiveObjects.self(Link.class).stub().immediate();
    }

    int around(int hops) {
      return hops == 0 ? 0 : next.around(hops - 1) + 1;
    }

    int wait(Gate gate) {
      gate.pass();
      return next.number();
    }

    String ownWithin() {
      try {
        ActiveObjects.self(Link.class).within(SHORT).stub().number();
        return "answered";
      } catch (CallTimeoutException e) {
        return "timed out";
      }
    }

    String ownBounded() throws Exception {
      try {
        ActiveObjects.self(Link.class).ask(Link::number).get(20, TimeUnit.MILLISECONDS);
        return "answered";
      } catch (java.util.concurrent.TimeoutException e) {
        return "timed out";
      }
    }

    int ownStage() {
      return next.later().thenApply(n -> n + 1).join();
    }

    void ownEnd() {
      ActiveObjects.self(Link.class).terminate().join();
    }

    void ownEndByGet() throws Exception {
      ActiveObjects.self(Link.class).terminate().get();
    }

    void ownEndNow() {
      ActiveObjects.self(Link.class).terminateNow().join();
    }

    void endOfNext() throws Exception {
      together.await(20, TimeUnit.SECONDS);
      ActiveObjects.ref(next).terminate().join();
    }

    @Immediate
    String ownEndBeside() {
      ActiveObjects.self(Link.class).terminate().join();
      return "ended";
    }

    CompletableFuture<Integer> later() {
      return CompletableFuture.completedFuture(5);
    }

    int stageElsewhere() {
      return next.later().thenApplyAsync(n -> n + 1, Thread::startVirtualThread).join();
    }

    int allOf() {
      var one = next.later();
      var two = ActiveObjects.ref(next).ask(Link::number);
      CompletableFuture.allOf(one, two).join();
      return one.join() + two.join();
    }
  }

  static class WaitsInConstructor {
    WaitsInConstructor() {
      ActiveObjects.self(WaitsInConstructor.class).stub().number();
    }

    int number() {
      return 1;
    }
  }

  static class WaitsForItsImmediate extends WaitsForImmediateBase {
    WaitsForItsImmediate() {
      ActiveObjects.self(WaitsForItsImmediate.class).stub().quick();
    }

    @Immediate
    int quick() {
      return 1;
    }
  }

  static class WaitsForImmediateBase {}

  static class Parallel {
    private final CompletableFuture<Integer> five = CompletableFuture.completedFuture(5);

    @Concurrent("read")
    int exclusive() {
      return ActiveObjects.self(Parallel.class).stub().write();
    }

    int write() {
      return 1;
    }

    int writeTwice() {
      return ActiveObjects.self(Parallel.class).stub().read();
    }

    @Concurrent("read")
    int read() {
      return 2;
    }

    @Concurrent("read")
    int readTwice() {
      return ActiveObjects.self(Parallel.class).stub().read();
    }

    @Concurrent("read")
    int readTwice(Gate gate) {
      gate.pass();
      return ActiveObjects.self(Parallel.class).stub().read();
    }

    @Concurrent("read")
    int readAfterWrite() {
      var self = ActiveObjects.self(Parallel.class);
      self.ask(Parallel::write);
      return self.stub().read();
    }

    @Concurrent("other")
    int other() {
      return ActiveObjects.self(Parallel.class).stub().read();
    }

    @Concurrent("read")
    int stage() {
      return ActiveObjects.self(Parallel.class).ask(Parallel::read).thenApply(n -> n + 1).join();
    }
  }

  private final Link one = ActiveObjects.here().create(Link.class);
  private final Link two = ActiveObjects.here().create(Link.class);
  private final Link three = ActiveObjects.here().create(Link.class);

  @BeforeEach
  void ring() {
    Gate.closeAll();
    one.next(two);
    two.next(three);
    three.next(one);
  }

  @Test
  void aCallThatWaitsForItsOwnObjectFails() {
    assertThatThrownBy(one::own)
        .isInstanceOf(WaitCycleException.class)
        .hasMessage(
            "these waits could never end:\n"
                + "  - a Link on node 'main' waits for Link.number() on node 'main', which can come only"
                + " when it waits no longer\n"
                + "Use ask(...) and return instead of waiting, or make the called method"
                + " @Immediate");
    assertThat(one.number()).as("the object goes on").isEqualTo(1);
  }

  @Test
  void anImmediateMethodOfItselfCanBeWaitedFor() {
    assertThat(one.ownImmediate()).isEqualTo(2);
  }

  @Test
  void aRingOfWaitsFailsAndTheOthersHearOfIt() {
    assertThat(one.around(2)).isEqualTo(2);
    assertThatThrownBy(() -> one.around(3))
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("a Link on node 'main' waits for Link.around(int)");
    assertThat(one.number() + two.number() + three.number()).isEqualTo(3);
  }

  @Test
  void aRingThatClosesAtManyPlacesAtOnceFailsToo() {
    for (var round = 0; round < 50; round++) {
      Gate.closeAll();
      var first = ActiveObjects.ref(one).ask(link -> link.wait(Gate.ONE));
      var second = ActiveObjects.ref(two).ask(link -> link.wait(Gate.ONE));
      var third = ActiveObjects.ref(three).ask(link -> link.wait(Gate.ONE));
      Gate.ONE.open();
      for (var each : List.of(first, second, third)) {
        each.exceptionally(failure -> 0).join();
      }
    }
    assertThat(one.number() + two.number() + three.number()).isEqualTo(3);
  }

  @Test
  void boundedWaitsEndByThemselves() throws Exception {
    assertThat(one.ownWithin()).isEqualTo("timed out");
    assertThat(one.ownBounded()).isEqualTo("timed out");
  }

  @Test
  void aStageOfItsOwnCannotBeWaitedFor() {
    assertThatThrownBy(one::ownStage)
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("waits for a stage of an ask that it made itself")
        .hasMessageContaining("thenApplyAsync(.., executor)");
  }

  @Test
  void whatRunsElsewhereCanBeWaitedFor() {
    assertThat(one.stageElsewhere()).isEqualTo(6);
    assertThat(one.allOf()).isEqualTo(6);
  }

  @Test
  void aConstructorCannotWaitForItsObject() {
    assertThatThrownBy(() -> ActiveObjects.here().create(WaitsInConstructor.class))
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("WaitsInConstructor.number()");
    assertThatThrownBy(() -> ActiveObjects.here().create(WaitsForItsImmediate.class))
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("WaitsForItsImmediate.quick()");
  }

  @Test
  void concurrentMethodsCannotWaitForWhatTheyKeepOut() {
    var parallel = ActiveObjects.here().create(Parallel.class);
    assertThatThrownBy(parallel::exclusive).isInstanceOf(WaitCycleException.class);
    assertThatThrownBy(parallel::writeTwice).isInstanceOf(WaitCycleException.class);
    assertThatThrownBy(parallel::stage).isInstanceOf(WaitCycleException.class);
    assertThatThrownBy(parallel::other).isInstanceOf(WaitCycleException.class);
    assertThat(parallel.readTwice()).isEqualTo(2);
  }

  @Test
  void whatAConcurrentMethodWaitsForPassesWhatItKeepsOut() {
    var parallel = ActiveObjects.here().create(Parallel.class);
    var ref = ActiveObjects.ref(parallel);
    var reading = ref.ask(p -> p.readTwice(Gate.ONE));
    Gate.ONE.awaitArrival();
    var writing = ref.ask(Parallel::write);
    var end = ref.terminate();

    Gate.ONE.open();

    assertThat(Waits.valueOf(reading, "reading twice")).isEqualTo(2);
    assertThat(Waits.valueOf(writing, "writing")).isEqualTo(1);
    Waits.valueOf(end, "the end");
  }

  @Test
  void whatAConcurrentMethodWaitsForNeedsNoRoomBesideIt() {
    var parallel =
        ActiveObjects.here().with(Options.STANDARD.withParallelism(1)).create(Parallel.class);

    var reading = ActiveObjects.ref(parallel).ask(p -> p.readTwice());

    assertThat(Waits.valueOf(reading, "reading")).isEqualTo(2);
  }

  @Test
  void whatAConcurrentMethodHasSentBeforeIsNotPassed() {
    var parallel = ActiveObjects.here().create(Parallel.class);

    assertThatThrownBy(parallel::readAfterWrite)
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("Parallel.read()");
    assertThat(parallel.read()).as("the object goes on").isEqualTo(2);
  }

  @Test
  void aWaitForTheOwnEndFails() {
    for (var way : List.<Ref.Told<Link>>of(Link::ownEnd, Link::ownEndByGet, Link::ownEndNow)) {
      var link = ActiveObjects.here().create(Link.class);
      var ref = ActiveObjects.ref(link);

      assertThat(Waits.failureOf(ref.tell(way), "the wait"))
          .isInstanceOf(WaitCycleException.class)
          .hasMessageContaining("waits for its own end")
          .hasMessageContaining("call terminate() and return");
      Waits.valueOf(ref.end(), "the end all the same");
    }
  }

  @Test
  void waitsForEachOthersEndsFail() {
    var one = ActiveObjects.here().create(Link.class);
    var two = ActiveObjects.here().create(Link.class);
    one.next(two);
    two.next(one);

    Link.together = new CyclicBarrier(2);

    var ends =
        List.of(
            ActiveObjects.ref(one).tell(Link::endOfNext),
            ActiveObjects.ref(two).tell(Link::endOfNext));

    var failures =
        ends.stream().map(each -> each.handle((value, failure) -> failure).join()).toList();
    assertThat(failures).hasAtLeastOneElementOfType(WaitCycleException.class);
  }

  @Test
  void anImmediateMethodMayWaitForTheEnd() {
    var link = ActiveObjects.here().create(Link.class);

    assertThat(Waits.valueOf(ActiveObjects.ref(link).ask(Link::ownEndBeside), "the end"))
        .isEqualTo("ended");
  }
}
