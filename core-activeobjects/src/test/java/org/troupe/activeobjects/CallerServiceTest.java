package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls their caller serves itself, in which order, and the end and load of such objects. */
@Timeout(30)
class CallerServiceTest extends CallerServiceFixture {

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

  @Test
  void anInterruptDuringTheServiceIsTheCallers() {
    elsewhere(
        () -> {
          warm(() -> one.interruptIf(false));
          do {
            one.interruptIf(true);
            assertThat(Thread.interrupted()).isEqualTo(Counter.server == Thread.currentThread());
          } while (Counter.server != Thread.currentThread());
          return null;
        });
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
          Waits.until(
              () -> {
                var ending = ActiveObjects.here().create(Counter.class);
                warm(() -> ending.end(false));
                ending.end(true);
                var served = Counter.server == Thread.currentThread();
                Waits.valueOf(ActiveObjects.ref(ending).end(), "the end");
                assertThat(Counter.ender).isNotNull().isNotSameAs(Thread.currentThread());
                assertThatThrownBy(ending::count).isInstanceOf(ObjectTerminatedException.class);
                return served;
              },
              "an end during a service by the caller");
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
}
