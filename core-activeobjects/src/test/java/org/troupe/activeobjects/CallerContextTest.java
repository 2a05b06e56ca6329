package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.futures.WaitInterruptedException;

/**
 * The context of a request and the state of its caller's thread, if the caller serves the request.
 */
@Timeout(30)
class CallerContextTest extends CallerServiceFixture {

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
                                .isEqualTo(CallerContextTest.class.getName());
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
    for (var isServedByCaller = false; !isServedByCaller; ) { // the body may be quicker
      var caller =
          Waits.onPlatformThread(
              () -> {
                warm(one::spins);
                Counter.arrived = false;
                Counter.spinning = true;
                interruptible.add(Thread.currentThread());
                var isInterrupted = one.spins();
                return isInterrupted && Thread.interrupted();
              });
      Waits.until(() -> Counter.arrived && !interruptible.isEmpty(), "the service");
      var thread = interruptible.remove();
      isServedByCaller = Counter.server == thread;
      if (isServedByCaller) {
        thread.interrupt();
      }
      Counter.spinning = false;
      assertThat(Waits.valueOf(caller, "the call"))
          .as("interrupted in the service and after it")
          .isEqualTo(isServedByCaller);
    }
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
}
