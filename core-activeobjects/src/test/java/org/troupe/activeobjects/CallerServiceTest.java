package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.futures.WaitInterruptedException;

/** Calls that their caller serves itself, because the object is idle and the method is short. */
@Timeout(30)
class CallerServiceTest {

  private static final AtomicReference<CompletableFuture<String>> LATER = new AtomicReference<>();
  private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();
  private static final ScopedValue<String> SCOPED = ScopedValue.newInstance();

  /** Each call records the thread that serves it. */
  static class Counter implements LifeCycle {

    private static volatile Thread server;
    private static volatile Thread ender;
    private static volatile Gate gate;
    private static volatile boolean spinning;
    private static volatile boolean arrived;

    private Counter next;
    private static final LinkedBlockingQueue<RequestGate> held = new LinkedBlockingQueue<>();
    private int count;
    private int[] kept;
    private final List<Integer> seen = new ArrayList<>();

    @Override
    public void ended() {
      ender = Thread.currentThread();
    }

    void next(Counter other) {
      next = other;
    }

    void add(int value) {
      count += value;
    }

    int count() {
      server = Thread.currentThread();
      return count;
    }

    int increment() {
      server = Thread.currentThread();
      return ++count;
    }

    void see(int value) {
      seen.add(value);
    }

    int sizeAndCheck() {
      server = Thread.currentThread();
      for (var i = 1; i < seen.size(); i++) {
        if (seen.get(i) != seen.get(i - 1) + 1) {
          throw new IllegalStateException(seen.get(i) + " after " + seen.get(i - 1));
        }
      }
      var size = seen.size();
      seen.clear();
      return size;
    }

    boolean isSelf(Counter stub) {
      server = Thread.currentThread();
      return ActiveObjects.self(Counter.class).equals(ActiveObjects.ref(stub));
    }

    boolean isCalledBy(Counter stub) {
      server = Thread.currentThread();
      var caller = ActiveObjects.caller();
      return stub == null ? caller == null : caller.equals(ActiveObjects.ref(stub));
    }

    boolean callsAsItself() {
      server = Thread.currentThread();
      var self = ActiveObjects.self(Counter.class);
      return next.isCalledBy(self.stub()) && ActiveObjects.self(Counter.class).equals(self);
    }

    int around(int hops) {
      server = Thread.currentThread();
      return hops == 0 ? 0 : next.around(hops - 1) + 1;
    }

    String local(String value) {
      server = Thread.currentThread();
      var before = LOCAL.get();
      LOCAL.set(value);
      return before;
    }

    String inherited(String value) {
      server = Thread.currentThread();
      var before = INHERITED.get();
      if (value != null) {
        INHERITED.set(value);
      }
      return before;
    }

    String scoped() {
      server = Thread.currentThread();
      return SCOPED.orElse("none");
    }

    boolean changesLoader() {
      server = Thread.currentThread();
      Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
      return true;
    }

    boolean spins() {
      server = Thread.currentThread();
      while (spinning) {
        arrived = true;
        Thread.onSpinWait();
      }
      return Thread.currentThread().isInterrupted();
    }

    String passes() {
      server = Thread.currentThread();
      var closed = gate;
      if (closed != null) {
        closed.pass();
      }
      return "passed";
    }

    String waitsForNext() {
      server = Thread.currentThread();
      return next.passes();
    }

    int fails(String message) throws IOException {
      server = Thread.currentThread();
      if (message != null) {
        throw new IOException(message);
      }
      return 1;
    }

    int[] same(int[] array) {
      server = Thread.currentThread();
      kept = array;
      return array;
    }

    int kept() {
      return kept[0];
    }

    Object later(boolean isLater) {
      server = Thread.currentThread();
      return isLater ? LATER.get() : "now";
    }

    int end(boolean isNow) {
      server = Thread.currentThread();
      if (isNow) {
        ActiveObjects.self(Counter.class).terminateNow();
      }
      return count;
    }

    int hold(boolean isHeld) {
      server = Thread.currentThread();
      if (isHeld) {
        held.add(Collectives.current().holdRequests(RequestGate.CLOSED));
      }
      return count;
    }

    @Immediate
    int immediate() {
      server = Thread.currentThread();
      return 1;
    }
  }

  static class Parallel {
    @Concurrent("read")
    long thread() {
      return Thread.currentThread().threadId();
    }
  }

  static class Loop implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        requests.serveOldest();
      }
    }

    long thread() {
      return Thread.currentThread().threadId();
    }
  }

  private final Counter one = ActiveObjects.here().create(Counter.class);
  private final Counter two = ActiveObjects.here().create(Counter.class);
  private final Counter three = ActiveObjects.here().create(Counter.class);

  @BeforeEach
  void ring() {
    Gate.closeAll();
    Counter.gate = null;
    one.next(two);
    two.next(three);
    three.next(one);
  }

  /** Makes a call repeatedly until the calling thread serves it. */
  private static void warm(Runnable call) {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (System.nanoTime() < end) {
      call.run();
      if (Counter.server == Thread.currentThread()) {
        return;
      }
    }
    fail("the caller has not served its call within 5 s");
  }

  private static <T> T elsewhere(Callable<T> work) {
    return Waits.valueOf(Waits.onPlatformThread(work), "a thread of the test");
  }

  // Threads

  @Test
  void aPlatformThreadServesItsCallOfAnIdleObject() {
    elsewhere(
        () -> {
          warm(one::count);
          return null;
        });
  }

  @Test
  void aVirtualThreadServesItsCallOfAnIdleObject() {
    Waits.valueOf(
        Waits.onVirtualThread(
            () -> {
              warm(one::count);
              return null;
            }),
        "calls");
  }

  static class Fresh {
    long thread() {
      return Thread.currentThread().threadId();
    }
  }

  @Test
  void aMethodThatWasNotServedOftenIsServedByTheBody() {
    var fresh = ActiveObjects.here().create(Fresh.class);
    for (var i = 0; i < 200; i++) {
      assertThat(fresh.thread()).isNotEqualTo(Thread.currentThread().threadId());
    }
  }

  @Test
  void bodiesWithOtherServiceUseTheirOwnThreads() {
    elsewhere(
        () -> {
          var parallel = ActiveObjects.here().create(Parallel.class);
          var loop = ActiveObjects.here().create(Loop.class);
          for (var i = 0; i < 2000; i++) {
            var own = Thread.currentThread().threadId();
            assertThat(parallel.thread()).isNotEqualTo(own);
            assertThat(loop.thread()).isNotEqualTo(own);
            one.immediate();
            assertThat(Counter.server).isNotSameAs(Thread.currentThread());
          }
          ActiveObjects.ref(loop).terminate();
          return null;
        });
  }

  // Order

  @Test
  void aCallComesBehindTheOneWayCallsOfItsThread() {
    elsewhere(
        () -> {
          warm(one::sizeAndCheck);
          for (var round = 0; round < 2000; round++) {
            var many = round % 7;
            for (var i = 0; i < many; i++) {
              one.see(i);
            }
            assertThat(one.sizeAndCheck()).isEqualTo(many);
          }
          return null;
        });
  }

  @Test
  void requestsExcludeEachOtherWhoeverServesThem() throws Exception {
    elsewhere(
        () -> {
          warm(one::increment);
          return null;
        });
    var before = one.count();
    var callers = 6;
    var calls = 3000;
    var together = new CyclicBarrier(callers);
    var all = new ArrayList<CompletableFuture<Integer>>();
    for (var i = 0; i < callers; i++) {
      var isVirtual = i % 2 == 0;
      Callable<Integer> work =
          () -> {
            together.await(20, TimeUnit.SECONDS);
            var byItself = 0;
            for (var call = 0; call < calls; call++) {
              if (call % 3 == 0) {
                one.add(1);
              } else {
                one.increment();
              }
              byItself += Counter.server == Thread.currentThread() ? 1 : 0;
            }
            return byItself;
          };
      all.add(isVirtual ? Waits.onVirtualThread(work) : Waits.onPlatformThread(work));
    }
    for (var each : all) {
      Waits.valueOf(each, "the calls");
    }
    assertThat(one.count()).isEqualTo(before + callers * calls);
  }

  @Test
  void aQueuedRequestIsServedAlthoughACallerServesAllTheTime() throws Exception {
    var isOver = new AtomicBoolean();
    var busy =
        Waits.onPlatformThread(
            () -> {
              while (!isOver.get()) {
                one.increment();
              }
              return null;
            });
    try {
      for (var i = 0; i < 200; i++) {
        Waits.valueOf(ActiveObjects.ref(one).tell(each -> each.add(1)), "a one-way call");
      }
    } finally {
      isOver.set(true);
    }
    Waits.valueOf(busy, "the caller");
  }

  // The body's context

  @Test
  void selfAndCallerAreThoseOfTheRequest() {
    elsewhere(
        () -> {
          warm(() -> assertThat(one.isSelf(one)).isTrue());
          warm(() -> assertThat(one.isCalledBy(null)).isTrue());
          assertThatThrownBy(() -> ActiveObjects.self(Counter.class))
              .isInstanceOf(IllegalStateException.class);
          return null;
        });
  }

  @Test
  void anObjectThatServesAnotherIsItselfAgainAfterwards() {
    elsewhere(
        () -> {
          warm(() -> assertThat(one.callsAsItself()).isTrue());
          return null;
        });
  }

  @Test
  void argumentsAndResultsAreCopies() {
    elsewhere(
        () -> {
          int[] array = {1};
          warm(() -> one.same(array));
          var results = new AtomicReference<int[]>();
          warm(() -> results.set(one.same(array)));
          var result = results.get();
          assertThat(result).isNotSameAs(array).containsExactly(1);
          array[0] = 2;
          result[0] = 3;
          assertThat(one.kept()).isEqualTo(1);
          return null;
        });
  }

  @Test
  void failuresHaveTheTracesOfBothSides() {
    elsewhere(
        () -> {
          warm(
              () -> {
                try {
                  one.fails(null);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
          warm(
              () ->
                  assertThatThrownBy(() -> one.fails("disk"))
                      .isInstanceOf(IOException.class)
                      .hasMessage("disk")
                      .satisfies(
                          failure -> {
                            var frames = List.of(failure.getStackTrace());
                            assertThat(frames.getFirst().getMethodName()).isEqualTo("fails");
                            assertThat(frames.get(1).toString()).contains("----- called");
                            assertThat(frames.get(2).getClassName())
                                .isEqualTo(CallerServiceTest.class.getName());
                            assertThat(frames.getLast().getClassName())
                                .isEqualTo(Thread.class.getName());
                          }));
          assertThat(one.fails(null)).isEqualTo(1);
          return null;
        });
  }

  @Test
  void aResultThatIsAFutureIsAwaited() {
    elsewhere(
        () -> {
          warm(() -> assertThat(one.later(false)).isEqualTo("now"));
          LATER.set(new CompletableFuture<>());
          var waiting = Waits.onPlatformThread(() -> one.later(true));
          Waits.until(() -> LATER.get().getNumberOfDependents() > 0, "the service");
          assertThat(waiting).isNotDone();
          LATER.get().complete("later");
          assertThat(Waits.valueOf(waiting, "the answer")).isEqualTo("later");
          return null;
        });
  }

  // State of the thread

  @Test
  void threadLocalsOfTheCallerAndOfTheRequestAreSeparate() {
    elsewhere(
        () -> {
          LOCAL.set("caller's");
          warm(() -> assertThat(one.local(null)).isNull());
          for (var i = 0; i < 3; i++) {
            warm(() -> assertThat(one.local("request's")).isNotEqualTo("caller's"));
            assertThat(LOCAL.get()).isEqualTo("caller's");
          }
          return null;
        });
  }

  @Test
  void valuesThatACallerInheritsToItsThreadsAreSeenAsEver() {
    elsewhere(
        () -> {
          warm(() -> assertThat(one.inherited(null)).isNull());
          warm(() -> assertThat(one.inherited("request's")).isNotEqualTo("caller's"));
          assertThat(INHERITED.get()).isNull();
          assertThat(one.inherited(null)).isNull();

          INHERITED.set("caller's");
          idle(one);
          assertThat(one.inherited(null)).isEqualTo("caller's");
          assertThat(Counter.server).isNotSameAs(Thread.currentThread());
          INHERITED.remove();
          return null;
        });
  }

  @Test
  void scopedValuesOfTheCallerAreNotSeen() {
    elsewhere(
        () -> {
          warm(() -> assertThat(one.scoped()).isEqualTo("none"));
          ScopedValue.where(SCOPED, "caller's")
              .run(
                  () -> {
                    for (var i = 0; i < 300; i++) {
                      assertThat(one.scoped()).isEqualTo("none");
                      assertThat(Counter.server).isNotSameAs(Thread.currentThread());
                      assertThat(SCOPED.get()).isEqualTo("caller's");
                    }
                  });
          warm(() -> assertThat(one.scoped()).isEqualTo("none"));
          return null;
        });
  }

  @Test
  void theContextClassLoaderOfTheCallerStays() {
    elsewhere(
        () -> {
          var own = new URLClassLoader(new URL[0]);
          Thread.currentThread().setContextClassLoader(own);
          warm(one::changesLoader);
          assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(own);
          return null;
        });
  }

  // Interrupts and time limits

  @Test
  void anInterruptedThreadServesNothing() {
    elsewhere(
        () -> {
          warm(one::increment);
          var before = one.count();
          Thread.currentThread().interrupt();
          assertThatThrownBy(one::increment).isInstanceOf(WaitInterruptedException.class);
          assertThat(Thread.interrupted()).isTrue();
          assertThat(one.count()).isEqualTo(before);
          return null;
        });
  }

  @Test
  void anInterruptDuringTheServiceStaysWithTheCaller() {
    var caller =
        Waits.onPlatformThread(
            () -> {
              warm(one::spins);
              Counter.arrived = false;
              Counter.spinning = true;
              interruptible.add(Thread.currentThread());
              assertThat(one.spins()).isTrue();
              return Thread.interrupted();
            });
    Waits.until(() -> Counter.arrived && !interruptible.isEmpty(), "the service");
    interruptible.remove().interrupt();
    Counter.spinning = false;
    assertThat(Waits.valueOf(caller, "the call")).as("still interrupted").isTrue();
    assertThat(elsewhere(one::spins)).as("an interrupt of the next request").isFalse();
  }

  @Test
  void aCallWithATimeLimitIsServedByTheBody() {
    elsewhere(
        () -> {
          warm(one::passes);
          Counter.gate = Gate.ONE;
          var hasty = ActiveObjects.ref(one).within(Duration.ofMillis(20)).stub();
          assertThatThrownBy(hasty::passes).isInstanceOf(CallTimeoutException.class);
          assertThat(Counter.server).isNotSameAs(Thread.currentThread());
          Gate.ONE.open();
          return null;
        });
  }

  @Test
  void aMethodThatHasBlockedIsServedByTheBodyAndItsCallerCanBeInterrupted() {
    var caller =
        Waits.onPlatformThread(
            () -> {
              warm(one::passes);
              Counter.gate = Gate.ONE;
              one.passes(); // blocks this thread for once
              Counter.gate = Gate.TWO;
              interruptible.add(Thread.currentThread());
              try {
                one.passes();
                return fail("passed");
              } catch (WaitInterruptedException e) {
                return Counter.server == Thread.currentThread();
              }
            });
    Gate.ONE.awaitArrival();
    sleepLongerThanShort();
    Gate.ONE.open();
    Gate.TWO.awaitArrival();
    interruptible.remove().interrupt();
    assertThat(Waits.valueOf(caller, "the interrupted call")).as("served itself").isFalse();
    Gate.TWO.open();
    assertThat(one.count()).as("the object goes on").isZero();
  }

  private final LinkedBlockingQueue<Thread> interruptible = new LinkedBlockingQueue<>();

  private static void sleepLongerThanShort() {
    var until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  // Waits

  @Test
  void aRingOfCallsServedByOneThreadIsFoundAndPrinted() {
    elsewhere(
        () -> {
          Waits.until(
              () -> {
                warm(() -> assertThat(one.around(2)).isEqualTo(2));
                assertThatThrownBy(() -> one.around(3))
                    .isInstanceOf(WaitCycleException.class)
                    .satisfies(
                        cycle ->
                            assertThat(cycle.getMessage().split("waits for Counter.around"))
                                .as(cycle.getMessage())
                                .hasSize(4));
                return Counter.server == Thread.currentThread();
              },
              "a cycle of calls that one thread serves");
          assertThat(one.around(2)).as("all go on").isEqualTo(2);
          return null;
        });
  }

  @Test
  void aCycleThroughAnObjectThatServesAnotherIsFound() {
    elsewhere(
        () -> {
          warm(one::waitsForNext);
          warm(two::passes);
          return null;
        });
    Counter.gate = Gate.ONE;
    var outer = Waits.onPlatformThread(one::waitsForNext); // serves one and, within it, two
    Gate.ONE.awaitArrival();
    Counter.gate = null;
    var back = ActiveObjects.ref(two).ask(each -> each.around(2)); // two, three, one
    Gate.ONE.open();
    assertThat(Waits.valueOf(outer, "the first call")).isEqualTo("passed");
    assertThat(Waits.valueOf(back, "the call behind it")).isEqualTo(2);
  }

  // Life

  @Test
  void anEndDuringTheServiceComesAfterIt() {
    elsewhere(
        () -> {
          warm(() -> one.end(false));
          one.end(true);
          var served = Counter.server == Thread.currentThread();
          Waits.valueOf(ActiveObjects.ref(one).end(), "the end");
          assertThat(served).isTrue();
          assertThat(Counter.ender).isNotNull().isNotSameAs(Thread.currentThread());
          assertThatThrownBy(one::count).isInstanceOf(ObjectTerminatedException.class);
          return null;
        });
  }

  @Test
  void anObjectThatHasEndedIsNotServed() {
    elsewhere(
        () -> {
          warm(one::count);
          Waits.valueOf(ActiveObjects.ref(one).terminate(), "the end");
          assertThatThrownBy(one::count).isInstanceOf(ObjectTerminatedException.class);
          return null;
        });
  }

  @Test
  void aRequestThatAGateHoldsIsNotServed() {
    elsewhere(
        () -> {
          warm(one::increment);
          warm(() -> one.hold(false));
          one.hold(true);
          var heldBack = Waits.onPlatformThread(one::increment);
          assertThatThrownBy(() -> heldBack.get(50, TimeUnit.MILLISECONDS))
              .isInstanceOf(java.util.concurrent.TimeoutException.class);
          Counter.held.remove().release();
          assertThat(Waits.valueOf(heldBack, "the call behind the gate")).isPositive();
          warm(one::increment);
          return null;
        });
  }

  @Test
  void aBoundedQueueHasItsPlacesAgain() {
    elsewhere(
        () -> {
          var bounded =
              ActiveObjects.here().with(Options.STANDARD.withQueueBound(1)).create(Counter.class);
          warm(bounded::increment);
          for (var i = 0; i < 1000; i++) {
            bounded.increment();
            bounded.add(1);
          }
          assertThat(bounded.count()).isGreaterThan(2000);
          return null;
        });
  }

  @Test
  void anObjectIsCollectedAlthoughItsCallerLives() throws Exception {
    var isOver = new CountDownLatch(1);
    var made = new CompletableFuture<WeakReference<Object>>();
    var caller =
        Waits.onPlatformThread(
            () -> {
              made.complete(serveAndForget());
              Waits.await(isOver, "the end of the test");
              return null;
            });
    var gone = Waits.valueOf(made, "the calls");
    assertThat(Collected.eventually(() -> gone.get() == null)).isTrue();
    isOver.countDown();
    Waits.valueOf(caller, "the caller");
  }

  private static WeakReference<Object> serveAndForget() {
    var counter = ActiveObjects.here().create(Counter.class);
    warm(counter::count);
    return new WeakReference<>(counter);
  }

  // Stack and carriers

  @Test
  void aChainOfAThousandObjectsNeedsNoDeepStack() {
    var chain = new ArrayList<Counter>();
    for (var i = 0; i < 1001; i++) {
      chain.add(ActiveObjects.here().create(Counter.class));
    }
    for (var i = 0; i < 1000; i++) {
      chain.get(i).next(chain.get(i + 1));
    }
    Waits.valueOf(
        Waits.onPlatformThread(
            () -> {
              warm(() -> one.around(2));
              for (var i = 0; i < 20; i++) {
                assertThat(chain.getFirst().around(1000)).isEqualTo(1000);
              }
              return null;
            }),
        "the chains");
  }

  @Test
  void virtualCallersThatPollLeaveCarriersToOthers() {
    elsewhere(
        () -> {
          warm(one::count);
          return null;
        });
    var pollers = new ArrayList<CompletableFuture<Integer>>();
    for (var i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      var counter = ActiveObjects.here().create(Counter.class);
      pollers.add(
          Waits.onVirtualThread(
              () -> {
                var calls = 0;
                while (counter.count() == 0) {
                  calls++;
                }
                return calls;
              }));
      Waits.valueOf(
          Waits.onVirtualThread(
              () -> {
                sleepLongerThanShort();
                counter.add(1);
                return null;
              }),
          "a virtual thread beside the pollers");
    }
    pollers.forEach(each -> Waits.valueOf(each, "a poller"));
  }

  @Test
  void manyThreadsAndObjectsThatCallEachOtherLoseNothing() {
    elsewhere(
        () -> {
          warm(() -> one.around(2));
          warm(one::increment);
          return null;
        });
    var ends = new CountDownLatch(4);
    Set<CompletableFuture<?>> all = new HashSet<>();
    for (var i = 0; i < 4; i++) {
      var first = List.of(one, two, three, one).get(i);
      Callable<Void> work =
          () -> {
            for (var call = 0; call < 2000; call++) {
              first.increment();
              if (call % 5 == 0) {
                ActiveObjects.ref(first).tell(each -> each.add(1));
              }
            }
            ends.countDown();
            return null;
          };
      all.add(i % 2 == 0 ? Waits.onPlatformThread(work) : Waits.onVirtualThread(work));
    }
    all.forEach(each -> Waits.valueOf(each, "calls"));
    assertThat(one.count() + two.count() + three.count()).isGreaterThanOrEqualTo(4 * 2400);
  }

  private static void idle(Counter counter) {
    Waits.valueOf(ActiveObjects.ref(counter).ask(Counter::count), "idleness");
    sleepLongerThanShort();
  }
}
