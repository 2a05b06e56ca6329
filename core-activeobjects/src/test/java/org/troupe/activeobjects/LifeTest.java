package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LifeTest {

  private static final List<String> told = new CopyOnWriteArrayList<>();

  static class Living implements LifeCycle {
    private static final LinkedBlockingQueue<WeakReference<Living>> made =
        new LinkedBlockingQueue<>();

    Living() {
      made.add(new WeakReference<>(this));
    }

    @Override
    public void started() {
      told.add("started");
    }

    @Override
    public void ended() {
      told.add("ended");
    }

    void work(Gate gate) {
      gate.pass();
      told.add("worked");
    }

    int number() {
      told.add("number");
      return 1;
    }

    String platform() {
      return Thread.currentThread().isVirtual() ? "virtual" : "platform";
    }

    void compute(long millis) {
      var until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
    }

    void askBack(int times) {
      if (times > 0) {
        ActiveObjects.self(Living.class).stub().askBack(times - 1);
      }
    }

    Ref<?> caller() {
      return ActiveObjects.caller();
    }

    boolean isCalledByNobody() {
      return ActiveObjects.caller() == null;
    }

    boolean isCalledBy(Living other) {
      return ActiveObjects.caller().equals(ActiveObjects.ref(other));
    }

    boolean ask(Living other) {
      return other.isCalledBy(ActiveObjects.self(Living.class).stub());
    }

    CompletableFuture<String> whereStagesRun(Living other) {
      var self = ActiveObjects.self(Living.class);
      return ActiveObjects.ref(other)
          .ask(Living::number)
          .thenApply(n -> ActiveObjects.self(Living.class).equals(self) ? "here" : "elsewhere");
    }
  }

  private final Living living = ActiveObjects.here().create(Living.class);
  private final Ref<Living> ref = ActiveObjects.ref(living);

  @BeforeEach
  void reset() {
    Gate.closeAll();
    ref.tell(living -> living.platform()).join();
    told.clear();
    Living.made.clear();
  }

  @Test
  void beginsBeforeTheFirstRequestAndEndsAfterTheLast() {
    var other = ActiveObjects.here().create(Living.class);
    Gate.ONE.open();
    other.work(Gate.ONE);
    ActiveObjects.ref(other).terminate().join();
    assertThat(told).containsExactly("started", "worked", "ended");
  }

  @Test
  void terminateServesWhatWasSentBefore() {
    living.work(Gate.ONE);
    Gate.ONE.awaitArrival();
    var before = ref.ask(Living::number);
    var end = ref.terminate();
    var after = ref.ask(Living::number);
    assertThat(end.isDone()).isFalse();
    Gate.ONE.open();
    end.join();
    assertThat(before.join()).isEqualTo(1);
    assertThatThrownBy(after::join)
        .cause()
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining("Living.number() was not served")
        .hasMessageContaining("has been terminated");
    assertThatThrownBy(living::number).isInstanceOf(ObjectTerminatedException.class);
    assertThat(ref.end()).isCompleted();
    assertThat(ref.terminate()).succeedsWithin(20, TimeUnit.SECONDS);
    assertThat(told).containsExactly("worked", "number", "ended");
  }

  @Test
  void terminateNowServesOnlyWhatIsBeingServed() {
    living.work(Gate.ONE);
    Gate.ONE.awaitArrival();
    var waiting = ref.ask(Living::number);
    var end = ref.terminateNow();
    Gate.ONE.open();
    end.join();
    assertThatThrownBy(waiting::join).hasCauseInstanceOf(ObjectTerminatedException.class);
    assertThat(told).containsExactly("worked", "ended");
  }

  @Test
  void anEndCanBeAwaitedByWhoeverHasTheReference() {
    var ended = ref.end();
    assertThat(ended.isDone()).isFalse();
    ref.stub().platform();
    ref.terminateNow();
    ended.join();
  }

  static class Broken implements LifeCycle {
    @Override
    public void started() {
      throw new IllegalStateException("started");
    }

    @Override
    public void ended() {
      throw new IllegalStateException("ended");
    }

    int number() {
      return 1;
    }
  }

  @Test
  void failuresOfTheLifeCycleReachTheHandlerAndTheObjectGoesOn() throws Exception {
    var failures = new LinkedBlockingQueue<FailureHandler.CallFailure>();
    ActiveObjects.onFailure(failures::add);
    try {
      var broken = ActiveObjects.here().create(Broken.class);
      assertThat(broken.number()).isEqualTo(1);
      assertThat(failures.poll(20, TimeUnit.SECONDS).cause()).hasMessage("started");
      ActiveObjects.ref(broken).terminate().join();
      assertThat(failures.poll(20, TimeUnit.SECONDS).cause()).hasMessage("ended");
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  static class Picky {
    private static volatile Picky leaked;

    Picky(String how) throws IOException {
      leaked = ActiveObjects.self(Picky.class).stub();
      switch (how) {
        case "checked" -> throw new IOException("disk");
        case "unchecked" -> throw new IllegalStateException("state");
        default -> {
          // a good one
        }
      }
    }

    int number() {
      return 1;
    }

    @Immediate
    int immediate() {
      return 2;
    }
  }

  @Test
  void exceptionsOfAConstructorReachTheCreator() {
    assertThatThrownBy(() -> ActiveObjects.here().create(Picky.class, "unchecked"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("state");
    assertThatThrownBy(() -> ActiveObjects.here().create(Picky.class, "checked"))
        .isInstanceOf(RemoteFailure.class)
        .hasMessage("java.io.IOException: disk")
        .hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> ActiveObjects.here().createAsync(Picky.class, "checked").join())
        .hasCauseInstanceOf(IOException.class);
    assertThat(ActiveObjects.here().createAsync(Picky.class, "good").join().number()).isEqualTo(1);
    assertThatThrownBy(() -> ActiveObjects.here().create(Picky.class, 1, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatWasSentToAnObjectThatNeverCameIsRefused() {
    assertThatThrownBy(() -> ActiveObjects.here().create(Picky.class, "unchecked"));
    assertThatThrownBy(() -> Picky.leaked.number()).isInstanceOf(ObjectTerminatedException.class);
    assertThatThrownBy(() -> Picky.leaked.immediate())
        .isInstanceOf(ObjectTerminatedException.class);
  }

  /** Lets others call it before it is there. */
  static class Early {
    private static final CompletableFuture<Integer> number = new CompletableFuture<>();
    private static final CompletableFuture<Integer> immediate = new CompletableFuture<>();
    private int value;

    Early() {
      var self = ActiveObjects.self(Early.class);
      self.ask(Early::number).whenCompleteAsync((n, e) -> number.complete(n), Runnable::run);
      self.ask(Early::immediate).whenCompleteAsync((n, e) -> immediate.complete(n), Runnable::run);
      value = 7;
    }

    int number() {
      return value;
    }

    @Immediate
    int immediate() {
      return value;
    }
  }

  @Test
  void whatComesBeforeTheConstructorIsThroughWaitsForIt() throws Exception {
    ActiveObjects.here().create(Early.class);
    assertThat(Early.number.get(20, TimeUnit.SECONDS)).isEqualTo(7);
    assertThat(Early.immediate.get(20, TimeUnit.SECONDS)).isEqualTo(7);
  }

  @Test
  void anObjectIsCollectedWithItsLastStub() throws Exception {
    var gone = makeAndForget();
    assertThat(Collected.eventually(() -> gone.get() == null)).isTrue();
  }

  private static WeakReference<Living> makeAndForget() throws InterruptedException {
    var forgotten = ActiveObjects.here().create(Living.class);
    forgotten.number();
    assertThat(forgotten).as("as a key").hasSameHashCodeAs(forgotten);
    return Living.made.take();
  }

  @Test
  void anObjectThatComputesMovesToAPlatformThread() {
    assertThat(living.platform()).isEqualTo("virtual");
    var moved = false;
    for (var round = 0; round < 100 && !moved; round++) {
      living.compute(40);
      living.compute(40);
      moved = living.platform().equals("platform");
    }
    assertThat(moved).as("it computed for 8 s at most and should have moved").isTrue();
    assertThat(living.platform()).as("while it computes").isEqualTo("platform");
  }

  @Test
  void callersAreKnown() {
    assertThat(living.isCalledByNobody()).isTrue();
    var other = ActiveObjects.here().create(Living.class);
    assertThat(living.ask(other)).isTrue();
    assertThatThrownBy(ActiveObjects::caller).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> ActiveObjects.self(Living.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("serves no active object");
    assertThatThrownBy(() -> ActiveObjects.ref("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not the stub of an active object");
  }

  @Test
  void stagesInsideABodyAreItsRequests() {
    var other = ActiveObjects.here().create(Living.class);
    assertThat(living.whereStagesRun(other).join()).isEqualTo("here");
    var outside =
        ActiveObjects.ref(other)
            .ask(Living::number)
            .thenApply(n -> Thread.currentThread().isVirtual());
    assertThat(outside.join()).isTrue();
  }

  @Test
  void aCancelledRequestIsWithdrawn() {
    living.work(Gate.ONE);
    Gate.ONE.awaitArrival();
    var number = ref.ask(Living::number);
    assertThat(number.cancel(false)).isTrue();
    Gate.ONE.open();
    assertThat(living.platform()).isNotNull();
    assertThat(told).containsExactly("worked");
  }

  @Test
  void aCallCanBeGivenATime() {
    living.work(Gate.ONE);
    Gate.ONE.awaitArrival();
    var hasty = ref.within(java.time.Duration.ofMillis(10));
    assertThatThrownBy(() -> hasty.stub().number())
        .isInstanceOf(CallTimeoutException.class)
        .hasMessageContaining("Living.number() on node 'main' was not answered within PT0.01S")
        .satisfies(
            late ->
                assertThat(late.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().equals(LifeTest.class.getName())));
    Gate.ONE.open();
    assertThat(ref.within(java.time.Duration.ofSeconds(Long.MAX_VALUE)).stub().number())
        .isEqualTo(1);
    assertThatThrownBy(() -> ref.within(java.time.Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBoundedQueueMakesItsSendersWait() throws Exception {
    var bounded =
        ActiveObjects.here().with(Options.STANDARD.withQueueBound(2)).create(Living.class);
    bounded.work(Gate.ONE);
    Gate.ONE.awaitArrival();
    bounded.work(Gate.TWO);
    bounded.work(Gate.TWO);
    var sent = new CompletableFuture<Void>();
    Thread.startVirtualThread(
        () -> {
          bounded.work(Gate.TWO);
          sent.complete(null);
        });
    assertThatThrownBy(() -> sent.get(20, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
    Gate.ONE.open();
    sent.get(20, TimeUnit.SECONDS);
    Gate.TWO.open();
    assertThat(bounded.number()).isEqualTo(1);
    assertThat(told.stream().filter("worked"::equals)).hasSize(4);
  }

  @Test
  void aBodyNeverWaitsForItsOwnQueue() {
    var bounded =
        ActiveObjects.here().with(Options.STANDARD.withQueueBound(1)).create(Living.class);
    bounded.askBack(10);
    assertThat(bounded.number()).isEqualTo(1);
  }

  @Test
  void optionsRefuseWhatCannotWork() {
    assertThatThrownBy(
            () -> new Options(-1, false, 1, Restart.never(), false, Keep.nothing(), null))
        .hasMessageContaining("queue bound of -1");
    assertThatThrownBy(() -> new Options(0, false, 0, Restart.never(), false, Keep.nothing(), null))
        .hasMessageContaining("parallelism of 0");
  }
}
