package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -Dtroupe.tasks.copy=always}: each task works on a copy, also within its JVM. */
@Timeout(60)
@ParameterizedClass
@ValueSource(ints = {1, 3})
class CopiedTasksTest {

  private final Tasks tasks;

  CopiedTasksTest(int workers) {
    System.setProperty("troupe.tasks.copy", "always");
    try {
      tasks = Tasks.here(workers);
    } finally {
      System.clearProperty("troupe.tasks.copy");
    }
  }

  @AfterEach
  void close() {
    tasks.close();
  }

  @Test
  void computesTrees() {
    assertThat(tasks.run(new TasksTest.Fib(16))).isEqualTo(987);
    assertThat(tasks.run(new TasksTest.Names("a", 4))).hasSize(16).startsWith("aaaaa");
    assertThat(tasks.run(new TasksTest.Area(0, 1))).isBetween(0.3333, 0.3334);
    assertThat(tasks.run(() -> fib(12))).isEqualTo(144);
  }

  @Test
  void findsATaskThatReportsOtherThanByItsResult() {
    int seen =
        tasks.run(
            () -> {
              var shared = new AtomicInteger();
              try (var scope = Scope.open()) {
                scope.fork(shared::incrementAndGet);
                scope.sync();
              }
              return shared.get();
            });
    assertThat(seen).isZero();
  }

  @Test
  void bringsResultsFailuresAndHandledValuesBack() {
    var handled =
        tasks.run(
            () -> {
              var values = new ArrayList<Integer>();
              try (var scope = Scope.open()) {
                for (int i = 0; i < 50; i++) {
                  int number = i;
                  scope.fork(() -> number, values::add);
                }
                var bad =
                    scope.<Integer>fork(
                        () -> {
                          throw new IOException("disk");
                        });
                scope.sync(Scope.Failures.KEEP);
                assertThat(bad.failure().orElseThrow()).hasMessage("disk");
              }
              return values;
            });
    assertThat(handled).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void namesAtTheForkWhatCannotTravel() {
    assertThatThrownBy(
            () ->
                tasks.run(
                    () -> {
                      var thread = new Thread("stuck");
                      try (var scope = Scope.open()) {
                        scope.fork(thread::getName);
                        scope.sync();
                      }
                      return 0;
                    }))
        .hasMessageContaining("Thread");
  }

  @Test
  void cancelsCopies() {
    var kept =
        tasks.run(
            () -> {
              try (var scope = Scope.open()) {
                scope.fork(() -> 1);
                scope.cancel();
                var later = scope.fork(() -> List.of(2));
                scope.sync();
                return later.get();
              }
            });
    assertThat(kept).containsExactly(2);
  }

  private static long fib(int n) throws Exception {
    if (n < 2) {
      return n;
    }
    try (var scope = Scope.open()) {
      Fork<Long> left = scope.fork(() -> fib(n - 1));
      long right = fib(n - 2);
      scope.sync();
      return left.get() + right;
    }
  }
}
