package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EndTest {

  private static final AtomicReference<Worker> leaked = new AtomicReference<>();
  private static final AtomicReference<WeakReference<Worker>> made = new AtomicReference<>();

  /** Serves in a loop of its own, which ends with a failure when it is told to. */
  static class Worker implements Service {
    private boolean isBroken;

    Worker() {
      made.set(new WeakReference<>(this));
    }

    Worker(String failure) {
      leaked.set(ActiveObjects.self(Worker.class).stub());
      throw new IllegalStateException(failure);
    }

    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      while (queue.isOpen()) {
        queue.serveOldest(request -> true);
        if (isBroken) {
          throw new IllegalStateException("out of order");
        }
      }
    }

    int number() {
      return 1;
    }

    void breakDown() {
      isBroken = true;
    }
  }

  /** Serves by default. */
  static class Plain {
    int number() {
      return 1;
    }

    void pass(Gate gate) {
      gate.pass();
    }
  }

  @BeforeEach
  void reset() {
    Gate.closeAll();
    ActiveObjects.onFailure(failure -> {});
  }

  @AfterEach
  void restore() {
    ActiveObjects.onFailure(null);
  }

  private static Ref<Worker> worker() {
    return ActiveObjects.ref(ActiveObjects.here().create(Worker.class));
  }

  private static Ref<Plain> plain() {
    return ActiveObjects.ref(ActiveObjects.here().create(Plain.class));
  }

  @Test
  void aTerminationIsReportedToEveryCallerAlsoLater() {
    var ref = plain();
    var early = ref.end();
    assertThat(early.isDone()).isFalse();

    var ordered = valueOf(ref.terminate(), "the termination");

    assertThat(ordered.how()).isEqualTo(End.How.TERMINATED);
    assertThat(ordered.why()).isEqualTo("a Plain on node 'main' has been terminated");
    assertThat(valueOf(early, "the end")).isEqualTo(ordered);
    assertThat(ref.end()).isCompletedWithValue(ordered);
  }

  @Test
  void aServiceLoopThatThrowsIsAFailureWithItsReason() {
    var ref = worker();
    ref.stub().breakDown();

    var end = valueOf(ref.end(), "the end");

    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why())
        .isEqualTo(
            "a Worker on node 'main' has failed: Worker.serve(..) threw"
                + " java.lang.IllegalStateException: out of order");
    assertThat(end.exitReport()).isEmpty();
    assertThat(failureOf(ref.ask(Worker::number), "a later call"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageStartingWith("Worker.number() was not served: a Worker on node 'main'")
        .hasMessageContaining("out of order");
  }

  @Test
  void anObjectWhoseConstructorThrowsHasFailed() {
    assertThatThrownBy(() -> ActiveObjects.here().create(Worker.class, "no disk"))
        .isInstanceOf(IllegalStateException.class);

    var end = valueOf(ActiveObjects.ref(leaked.get()).end(), "the end");

    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why()).endsWith("threw java.lang.IllegalStateException: no disk");
  }

  @Test
  void aFailureSpreadsAlongLinksInBothDirectionsWithOneReason() {
    var one = plain();
    var two = worker();
    var three = plain();
    one.linkTo(two).join();
    two.linkTo(three).join();
    var four = plain();
    four.linkTo(three).join();

    two.stub().breakDown();

    for (var each : List.of(one, three, four)) {
      var end = valueOf(each.end(), "the end of a linked object");
      assertThat(end.how()).isEqualTo(End.How.FAILED);
      assertThat(end.why())
          .isEqualTo(
              "an object that it was linked to has ended: "
                  + valueOf(two.end(), "the first end").why());
    }
  }

  @Test
  @Timeout(60)
  void objectsCanBeLinkedToEachOtherAtTheSameTime() throws Exception {
    for (var i = 0; i < 2_000; i++) {
      var one = plain();
      var two = plain();
      var there = Thread.startVirtualThread(() -> one.linkTo(two).join());
      var back = Thread.startVirtualThread(() -> two.linkTo(one).join());
      there.join();
      back.join();
      valueOf(one.terminate(), "the termination");
      valueOf(two.terminate(), "the termination");
    }
  }

  @Test
  void aLinkedObjectFinishesTheRequestThatItServes() {
    var busy = plain();
    var broken = worker();
    busy.linkTo(broken).join();
    busy.stub().pass(Gate.ONE);
    Gate.ONE.awaitArrival();
    var waiting = busy.ask(Plain::number);

    broken.stub().breakDown();
    valueOf(broken.end(), "the failure");

    assertThat(busy.end().isDone()).isFalse();
    Gate.ONE.open();
    assertThat(valueOf(busy.end(), "the linked end").how()).isEqualTo(End.How.FAILED);
    assertThat(failureOf(waiting, "the waiting call"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining("linked to has ended");
  }

  @Test
  void aTerminationDoesNotSpread() {
    var one = plain();
    var two = plain();
    one.linkTo(two).join();

    valueOf(two.terminate(), "the termination");

    assertThat(valueOf(one.ask(Plain::number), "a call of the other")).isEqualTo(1);
    assertThat(one.end().isDone()).isFalse();
  }

  @Test
  void aLinkToAnObjectThatIsGoneActsAtOnce() {
    var terminated = plain();
    valueOf(terminated.terminate(), "the termination");
    var failed = worker();
    failed.stub().breakDown();
    valueOf(failed.end(), "the failure");

    var ref = plain();
    ref.linkTo(terminated).join();
    assertThat(valueOf(ref.ask(Plain::number), "a call")).isEqualTo(1);
    failed.linkTo(ref).join();

    assertThat(valueOf(ref.end(), "the linked end").how()).isEqualTo(End.How.FAILED);
  }

  @Test
  void anObjectLinkedToItselfJustFails() {
    var ref = worker();
    ref.linkTo(ref).join();
    ref.stub().breakDown();
    assertThat(valueOf(ref.end(), "the end").why()).startsWith("a Worker on node 'main'");
  }

  @Test
  void aLinkDoesNotHoldAnObjectThatHasEnded() throws Exception {
    var hub = plain();
    linkAndTerminate(hub);
    assertThat(Collected.eventually(() -> made.get().get() == null)).isTrue();
    assertThat(valueOf(hub.ask(Plain::number), "a call of the hub")).isEqualTo(1);
  }

  private static void linkAndTerminate(Ref<Plain> hub) {
    var ref = worker();
    hub.linkTo(ref).join();
    ref.end().cancel(false);
    valueOf(ref.terminate(), "the termination");
  }
}
