package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A task that fills the stack fails; no join waits for what it has left behind. */
@Timeout(60)
@ParameterizedClass
@ValueSource(ints = {1, 3})
class ExhaustedTaskStackTest {

  private static final int ENDLESS = 100_000_000;

  private final Tasks tasks;

  ExhaustedTaskStackTest(int workers) {
    var before = System.setProperty("troupe.tasks.stack", "524288");
    try {
      tasks = Tasks.here(workers);
    } finally {
      if (before == null) {
        System.clearProperty("troupe.tasks.stack");
      } else {
        System.setProperty("troupe.tasks.stack", before);
      }
    }
  }

  @AfterEach
  void close() {
    tasks.close();
  }

  private void overflows(Runnable run) {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(run::run).isInstanceOf(StackOverflowError.class);
    }
    assertThat(tasks.run(new TasksTest.Fib(15))).isEqualTo(610);
  }

  @Test
  void endsAJobThatForksAndCallsItself() {
    overflows(() -> tasks.run(new Calling(ENDLESS)));
  }

  @Test
  void endsAJobThatForksItself() {
    overflows(() -> tasks.run(new TasksTest.Chain(ENDLESS)));
  }

  @Test
  void endsATreeOfScopes() {
    overflows(() -> tasks.run(() -> inScopes(ENDLESS)));
  }

  @Test
  void endsAPlainRecursionBelowForks() {
    overflows(
        () ->
            tasks.run(
                () -> {
                  try (var scope = Scope.open()) {
                    for (int i = 0; i < 100; i++) {
                      scope.fork(() -> plain(ENDLESS));
                    }
                    scope.sync();
                  }
                  return 0;
                }));
  }

  /** The depth at which a task forks, waits, is cancelled or overflows differs each time. */
  @Test
  void endsTreesOfAnyShape() {
    for (int seed = 0; seed < 20; seed++) {
      int number = seed;
      try {
        long sum = tasks.run(() -> randomly(new Random(number), 0));
        assertThat(sum).isPositive();
      } catch (StackOverflowError expected) {
        // It depends on how deep the stacks of the workers are at that time.
      }
    }
    assertThat(tasks.run(new TasksTest.Fib(15))).isEqualTo(610);
  }

  @Test
  void letsATaskGoOnThatCatchesTheError() {
    long sum =
        tasks.run(
            () -> {
              long caught = 0;
              for (int i = 0; i < 5; i++) {
                try (var scope = Scope.open()) {
                  scope.fork(() -> inScopes(ENDLESS));
                  scope.sync();
                } catch (StackOverflowError e) {
                  caught++;
                }
              }
              try (var scope = Scope.open()) {
                var fib = scope.fork(() -> new TasksTest.Fib(10).compute());
                scope.sync();
                return caught + fib.get();
              }
            });
    assertThat(sum).isEqualTo(60);
  }

  /** Frames that wait at all depths, on top of which workers take what overflows. */
  @Test
  void endsWhatWorkersTakeWhileTheyWait() throws Exception {
    var futures = new ArrayList<java.util.concurrent.CompletableFuture<Long>>();
    for (int i = 0; i < 6; i++) {
      futures.add(tasks.submit(() -> inScopes(ENDLESS)));
      futures.add(tasks.submit(() -> inScopes(7)));
    }
    for (int i = 0; i < futures.size(); i++) {
      var future = futures.get(i);
      if (i % 2 == 0) {
        assertThatThrownBy(() -> future.get(50, TimeUnit.SECONDS))
            .hasCauseInstanceOf(StackOverflowError.class);
      } else {
        assertThat(future.get(50, TimeUnit.SECONDS)).isEqualTo(13);
      }
    }
  }

  private static long plain(long n) {
    return n == 0 ? 0 : 1 + plain(n - 1);
  }

  private static long inScopes(long n) {
    if (n < 2) {
      return n;
    }
    try (var scope = Scope.open()) {
      // A scope executes what it has forked also when an exception ends it, so that must be little.
      Fork<Long> left = scope.fork(() -> inScopes(Math.min(n - 2, 6)));
      long right = inScopes(n - 1);
      scope.sync();
      return left.get() + right;
    }
  }

  private static long randomly(Random random, int depth) {
    if (depth > 9) {
      return plain(random.nextInt(30) == 0 ? ENDLESS : random.nextInt(1_000)) + 1;
    }
    long sum = 1;
    try (var scope = Scope.open()) {
      var forks = new ArrayList<Fork<Long>>();
      for (int more = 1 + random.nextInt(3); more > 0; more--) {
        long seed = random.nextLong();
        if (random.nextInt(3) == 0) {
          sum += randomly(new Random(seed), depth + 1);
        } else {
          forks.add(scope.fork(() -> randomly(new Random(seed), depth + 1)));
        }
      }
      if (random.nextInt(20) == 0) {
        scope.cancel();
        return sum;
      }
      scope.sync();
      for (var fork : forks) {
        sum += fork.get();
      }
    }
    return sum;
  }

  /** Forks one job and calls the other one directly, so the call is a frame without a job. */
  static final class Calling extends LongJob {
    private final int n;

    Calling(int n) {
      this.n = n;
    }

    @Override
    protected long compute() {
      if (n == 0) {
        return 1;
      }
      var left = fork(new Calling(0));
      long right = new Calling(n - 1).compute();
      sync();
      return left.result() + right;
    }
  }
}
