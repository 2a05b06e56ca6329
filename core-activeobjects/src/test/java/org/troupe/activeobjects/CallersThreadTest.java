package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The thread of a caller that serves its call itself, and the requests that others send meanwhile.
 */
@Timeout(60)
class CallersThreadTest {

  private static final UncaughtExceptionHandler REQUESTS = (thread, failure) -> {};
  private static final UncaughtExceptionHandler CALLERS = (thread, failure) -> {};

  static class Target {

    private static volatile Thread server;

    private Target next;
    private int count;

    void next(Target other) {
      next = other;
    }

    void add(int value) {
      count += value;
    }

    int increment() {
      server = Thread.currentThread();
      return ++count;
    }

    int count() {
      return count;
    }

    int changes(boolean isChanging) {
      server = Thread.currentThread();
      if (isChanging) {
        server.setName("the request's");
        server.setPriority(Thread.MIN_PRIORITY);
        server.setUncaughtExceptionHandler(REQUESTS);
      }
      return 1;
    }

    int fails(int hops, boolean isFailing) {
      server = Thread.currentThread();
      if (hops > 0) {
        try {
          return next.fails(hops - 1, isFailing);
        } catch (RuntimeException e) {
          throw new IllegalStateException("at hop " + hops, e);
        }
      }
      if (isFailing) {
        throw new IllegalArgumentException("last");
      }
      return 1;
    }
  }

  private final Target one = ActiveObjects.here().create(Target.class);

  /** Makes a call until the calling thread serves it. */
  private static void warm(Runnable call) {
    ShortServices.warm(Target.class, () -> Target.server, call);
  }

  private static <T> T elsewhere(Callable<T> work) {
    return Waits.valueOf(Waits.onPlatformThread(work), "a thread of the test");
  }

  @Test
  void namePriorityAndHandlerOfTheCallerStay() {
    elsewhere(
        () -> {
          var thread = Thread.currentThread();
          thread.setName("the caller's");
          warm(() -> one.changes(false));
          var hadNone = thread.getUncaughtExceptionHandler();
          one.changes(true);
          assertThat(Target.server).isSameAs(thread);
          assertThat(thread.getName()).isEqualTo("the caller's");
          assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
          assertThat(thread.getUncaughtExceptionHandler()).isSameAs(hadNone);

          thread.setUncaughtExceptionHandler(CALLERS);
          warm(() -> one.changes(false));
          one.changes(true);
          assertThat(thread.getUncaughtExceptionHandler()).isSameAs(CALLERS);
          return null;
        });
  }

  @Test
  void aWorkerOfAForkJoinPoolServesNothing() {
    elsewhere(
        () -> {
          warm(one::increment);
          return null;
        });
    try (var pool = new ForkJoinPool(1)) {
      var served =
          pool.submit(
                  () -> {
                    var own = 0;
                    for (var call = 0; call < 300; call++) {
                      one.increment();
                      own += Target.server == Thread.currentThread() ? 1 : 0;
                    }
                    return own;
                  })
              .join();
      assertThat(served).isZero();
    }
  }

  @Test
  void failuresThatPassThroughSeveralServicesShowNoFramesOfTheirCallers() {
    var two = ActiveObjects.here().create(Target.class);
    var three = ActiveObjects.here().create(Target.class);
    one.next(two);
    two.next(three);
    var queued = catchOf(() -> ActiveObjects.ref(one).within(Duration.ofSeconds(20)).stub());
    var served =
        elsewhere(
            () -> {
              warm(() -> one.fails(2, false));
              return catchOf(() -> one);
            });
    assertThat(frames(served.getCause())).isEqualTo(frames(queued.getCause()));
    assertThat(frames(served).getFirst()).isEqualTo(frames(queued).getFirst());
    assertThat(frames(served.getCause().getCause()))
        .isEqualTo(frames(queued.getCause().getCause()));
  }

  private static Throwable catchOf(Supplier<Target> target) {
    var stub = target.get();
    try {
      return fail("gave " + stub.fails(2, true));
    } catch (IllegalStateException e) {
      return e;
    }
  }

  private static List<String> frames(Throwable failure) {
    return List.of(failure.getStackTrace()).stream()
        .map(each -> each.getClassName() + "." + each.getMethodName())
        .toList();
  }

  @Test
  void eachCallIsServedOrRefusedWhenAnObjectEndsBetweenThem() throws Exception {
    elsewhere(
        () -> {
          warm(one::increment);
          return null;
        });
    for (var round = 0; round < 200; round++) {
      var target = ActiveObjects.here().create(Target.class);
      var isNow = round % 2 == 0;
      Callable<Integer> calls =
          () -> {
            for (var served = 0; ; served++) {
              try {
                target.increment();
              } catch (ObjectTerminatedException end) {
                return served;
              }
            }
          };
      var platform = Waits.onPlatformThread(calls);
      var virtual = Waits.onVirtualThread(calls);
      var ref = ActiveObjects.ref(target);
      Waits.valueOf(ref.tell(each -> each.add(1)), "a call between the others");
      var end = isNow ? ref.terminateNow() : ref.terminate();
      Waits.valueOf(end, "the end");
      Waits.valueOf(platform, "the calls of a platform thread");
      Waits.valueOf(virtual, "the calls of a virtual thread");
      assertThatThrownBy(target::count).isInstanceOf(ObjectTerminatedException.class);
    }
  }
}
