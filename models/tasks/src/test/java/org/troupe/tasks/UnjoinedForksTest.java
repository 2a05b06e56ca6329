package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.testing.Polling;

/** Forks that are not joined in the reverse order of their scopes, or not at all. */
@Timeout(20)
@ParameterizedClass
@ValueSource(ints = {1, 3})
class UnjoinedForksTest {

  private final Tasks tasks;

  UnjoinedForksTest(int workers) {
    tasks = Tasks.here(workers);
  }

  @AfterEach
  void close() {
    tasks.close();
  }

  @Test
  void joinsScopesInAnyOrder() {
    int sum =
        tasks.run(
            () -> {
              try (var one = Scope.open();
                  var other = Scope.open()) {
                var a = one.fork(() -> 1);
                var b = other.fork(() -> 20);
                var c = one.fork(() -> 300);
                var d = other.fork(() -> 4_000);
                one.sync();
                int first = a.get() + c.get();
                other.sync();
                return first + b.get() + d.get();
              }
            });
    assertThat(sum).isEqualTo(4321);
  }

  @Test
  void cancelsTheTasksOfOneScopeOnly() {
    var outcome =
        tasks.run(
            () -> {
              try (var one = Scope.open();
                  var other = Scope.open()) {
                one.fork(() -> 1);
                var b = other.fork(() -> 20);
                one.fork(() -> 300);
                var d = other.fork(() -> 4_000);
                one.cancel();
                one.sync();
                other.sync();
                return b.get() + d.get();
              }
            });
    assertThat(outcome).isEqualTo(4020);
  }

  @Test
  void cancelsTheTasksOfAFailedScopeOnly() {
    int kept =
        tasks.run(
            () -> {
              try (var other = Scope.open()) {
                var b = other.fork(() -> 20);
                try (var one = Scope.open()) {
                  one.fork(() -> 1);
                  var d = other.fork(() -> 4_000);
                  one.fork(
                      () -> {
                        throw new IllegalStateException("one");
                      });
                  var f = other.fork(() -> 60_000);
                  assertThatThrownBy(one::sync).hasMessage("one");
                  other.sync();
                  return b.get() + d.get() + f.get();
                }
              }
            });
    assertThat(kept).isEqualTo(64_020);
  }

  @Test
  void executesTheTasksOfAScopeThatIsNeverClosed() {
    var executed = new AtomicInteger();
    for (int i = 1; i <= 20; i++) {
      int value =
          tasks.run(
              () -> {
                var scope = Scope.open();
                scope.fork(executed::incrementAndGet);
                try (var inner = Scope.open()) {
                  var fork = inner.fork(() -> unclosed(executed));
                  inner.sync();
                  return fork.get();
                }
              });
      assertThat(value).isEqualTo(7);
    }
    // A thief may be at it yet.
    Polling.until(() -> "40 tasks, now " + executed, () -> executed.get() == 40);
  }

  private static int unclosed(AtomicInteger executed) {
    Scope.open().fork(executed::incrementAndGet);
    return 7;
  }

  @Test
  void goesOnBehindAJobThatForksWithoutSync() {
    for (int i = 0; i < 20; i++) {
      assertThat(tasks.run(new Careful())).isEqualTo(42);
    }
  }

  @Test
  void goesOnBehindAFailureOfAJobThatIsCalledDirectly() {
    for (int i = 0; i < 20; i++) {
      assertThat(tasks.run(new Catching())).isEqualTo(42);
    }
  }

  /** Forks, and does not wait when it is called directly. */
  static final class Careless extends LongJob {
    private final boolean fails;

    Careless(boolean fails) {
      this.fails = fails;
    }

    @Override
    protected long compute() {
      fork(new TasksTest.Fib(3));
      fork(new TasksTest.Fib(4));
      if (fails) {
        throw new IllegalArgumentException("careless");
      }
      return 2;
    }
  }

  static final class Careful extends LongJob {
    @Override
    protected long compute() {
      var before = fork(new TasksTest.Fib(8));
      long direct = new Careless(false).compute();
      var after = fork(new TasksTest.Fib(6));
      var forked = fork(new Careless(false));
      sync();
      return before.result() + direct + after.result() + forked.result() + 9;
    }
  }

  static final class Catching extends LongJob {
    @Override
    protected long compute() {
      var before = fork(new TasksTest.Fib(9));
      try {
        new Careless(true).compute();
      } catch (IllegalArgumentException expected) {
        // Its forks are still there.
      }
      var after = fork(new TasksTest.Fib(6));
      sync();
      return before.result() + after.result();
    }
  }
}
