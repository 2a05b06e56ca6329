package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects whose full queues refuse calls, within one JVM. */
@Timeout(60)
class RefusingQueuesTest {

  private static volatile CountDownLatch arrived;
  private static volatile CountDownLatch gate;

  private final LinkedBlockingQueue<FailureHandler.CallFailure> failures =
      new LinkedBlockingQueue<>();
  private Counter counter;
  private Ref<Counter> ref;

  /** Counts its requests. */
  public static class Counter implements FailureHandler {
    private final List<Integer> numbers = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    public void hold() {
      arrived.countDown();
      Waits.await(gate, "the gate");
    }

    public void put(int number) {
      numbers.add(number);
    }

    public int count() {
      return numbers.size();
    }

    public List<Integer> numbers() {
      return new ArrayList<>(numbers);
    }

    public Tally tally() {
      return new Tally();
    }

    @Immediate
    public String look() {
      return "seen";
    }

    public void putSome(Counter itself, int count) {
      for (int i = 0; i < count; i++) {
        itself.put(i);
      }
    }

    public void putInto(Counter other) {
      other.put(7);
    }

    @Override
    public void failed(CallFailure failure) {
      refused.add(failure.cause().getClass().getSimpleName());
    }

    public List<String> refused() {
      return refused;
    }
  }

  /** A transparent result. */
  public static class Tally {
    public String text() {
      return "tally";
    }
  }

  @BeforeEach
  void fill() {
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    ActiveObjects.onFailure(failures::add);
    counter = create(2);
    ref = ActiveObjects.ref(counter);
    counter.hold();
    Waits.await(arrived, "the first request");
    counter.put(1);
    counter.put(2);
  }

  @AfterEach
  void open() {
    gate.countDown();
    ref.terminate().join();
    ActiveObjects.onFailure(null);
  }

  private static Counter create(int bound) {
    return ActiveObjects.here()
        .with(Options.STANDARD.refusing().withQueueBound(bound))
        .create(Counter.class);
  }

  @Test
  void aCallThatWaitsForItsAnswerThrows() {
    assertThatThrownBy(counter::count)
        .isInstanceOf(OverloadedException.class)
        .hasMessage(
            "the queue of a Counter on node 'main' is full (2 of 2 from this JVM) and it refuses"
                + " more; call slower, or with a larger bound")
        .satisfies(
            refused ->
                assertThat(refused.getStackTrace())
                    .anyMatch(
                        frame -> frame.getClassName().equals(RefusingQueuesTest.class.getName())));
    gate.countDown();
    Waits.until(() -> !ref.ask(Counter::count).isCompletedExceptionally(), "room");
    assertThat(counter.count()).isEqualTo(2);
    assertThat(counter.numbers()).containsExactly(1, 2);
    assertThat(failures).isEmpty();
  }

  @Test
  void anAskHasTheRefusalAsItsOutcome() {
    var asked = ref.ask(Counter::count);
    assertThat(asked).isCompletedExceptionally();
    assertThat(failureOf(asked, "the ask")).isInstanceOf(OverloadedException.class);
    assertThat(failureOf(ref.tell(it -> it.put(3)), "the tell"))
        .isInstanceOf(OverloadedException.class);
    assertThat(failureOf(ref.within(Duration.ofMinutes(1)).ask(Counter::count), "a limited ask"))
        .isInstanceOf(OverloadedException.class);
    assertThat(failures).isEmpty();
  }

  @Test
  void aTransparentFutureThrowsAtItsFirstUse() {
    var tally = counter.tally();
    assertThatThrownBy(tally::text).isInstanceOf(OverloadedException.class);
  }

  @Test
  void aOneWayCallReachesTheFailureHandlerOnce() throws Exception {
    counter.put(3);
    var failure = failures.poll(20, TimeUnit.SECONDS);
    assertThat(failure.call()).isEqualTo("Counter.put(int) on node 'main'");
    assertThat(failure.cause()).isInstanceOf(OverloadedException.class);
    gate.countDown();
    assertThat(ref.terminate().join().how()).isEqualTo(End.How.TERMINATED);
    assertThat(failures).isEmpty();
  }

  @Test
  void theFailureHandlerOfTheCallingObjectIsPreferred() {
    var caller = ActiveObjects.here().create(Counter.class);
    caller.putInto(counter);
    Waits.until(() -> caller.refused().equals(List.of("OverloadedException")), "the refusal");
    assertThat(failures).isEmpty();
    ActiveObjects.ref(caller).terminate().join();
  }

  @Test
  void immediateMethodsAndTerminationAreNotRefused() {
    assertThat(counter.look()).isEqualTo("seen");
    var ended = ref.terminate();
    gate.countDown();
    assertThat(valueOf(ended, "the end").how()).isEqualTo(End.How.TERMINATED);
    assertThat(failures).isEmpty();
  }

  @Test
  void callsOfTheObjectToItselfAreNotRefused() {
    var own = create(1);
    ActiveObjects.ref(own).tell(it -> it.putSome(own, 20)).join();
    assertThat(valueOf(ActiveObjects.ref(own).ask(Counter::count), "the count")).isEqualTo(20);
    assertThat(failures).isEmpty();
    ActiveObjects.ref(own).terminate().join();
  }

  @Test
  void aQueueWithRoomRefusesNothing() {
    gate.countDown();
    Waits.until(() -> !ref.ask(Counter::count).isCompletedExceptionally(), "room");
    for (int i = 0; i < 1000; i++) {
      counter.count(); // one at a time
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void manyCallersGetARefusalOrAnAnswer() throws Exception {
    gate.countDown();
    List<CompletableFuture<Integer>> asked = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      asked.add(ref.ask(Counter::count));
    }
    var answered = 0;
    for (var each : asked) {
      try {
        each.get(20, TimeUnit.SECONDS);
        answered++;
      } catch (ExecutionException refused) {
        assertThat(refused).hasCauseInstanceOf(OverloadedException.class);
      }
    }
    assertThat(answered).isPositive();
    Waits.until(() -> !ref.ask(Counter::count).isCompletedExceptionally(), "all places are back");
  }

  @Test
  void aQueueWithoutBoundCannotRefuse() {
    assertThatThrownBy(
            () -> ActiveObjects.here().with(Options.STANDARD.refusing()).create(Counter.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a Counter cannot refuse calls to a full queue, because its queue has no bound; give it"
                + " one by Options.withQueueBound(..), or leave out refusing()");
  }
}
