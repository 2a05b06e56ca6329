package org.troupe.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program relies on, whatever the number of workers. */
@Timeout(60)
@ParameterizedClass
@ValueSource(ints = {1, 3})
class TasksTest {

  private static final Supplier<AtomicInteger> PER_WORKER = Tasks.local(AtomicInteger::new);

  private final int workers;
  private final Tasks tasks;

  TasksTest(int workers) {
    this.workers = workers;
    tasks = Tasks.here(workers);
  }

  @AfterEach
  void close() {
    tasks.close();
  }

  @Test
  void computesATreeOfScopes() {
    assertThat(tasks.run(() -> fib(20))).isEqualTo(6765);
  }

  @Test
  void computesATreeOfJobs() {
    assertThat(tasks.run(new Fib(24))).isEqualTo(46368);
    assertThat(tasks.run(new Names("a", 4))).hasSize(16).startsWith("aaaaa").endsWith("abbbb");
    assertThat(tasks.run(new Area(0, 1)))
        .isEqualTo(1.0 / 3, org.assertj.core.data.Offset.offset(1e-4));
  }

  @Test
  void computesManyRootsAtOnce() {
    var futures = new ArrayList<java.util.concurrent.CompletableFuture<Long>>();
    for (int i = 0; i < 50; i++) {
      futures.add(tasks.submit(() -> fib(12)));
    }
    assertThat(futures).allSatisfy(future -> assertThat(future.join()).isEqualTo(144));
  }

  @Test
  void nestsTasksDeeply() {
    assertThat(tasks.run(new Chain(100_000))).isEqualTo(100_000);
  }

  @Test
  void forksManyTasksInOneScope() {
    long sum =
        tasks.run(
            () -> {
              try (var scope = Scope.open()) {
                var forks = new ArrayList<Fork<Integer>>();
                for (int i = 0; i < 20_000; i++) {
                  int number = i;
                  forks.add(scope.fork(() -> number));
                }
                scope.sync();
                return forks.stream().mapToLong(Fork::get).sum();
              }
            });
    assertThat(sum).isEqualTo(199_990_000);
  }

  @Test
  void rethrowsUncheckedFailuresAsTheyAre() {
    var failure = new IllegalArgumentException("leaf");
    assertThatThrownBy(() -> tasks.run(() -> forked(() -> raise(failure)))).isSameAs(failure);
    assertThatThrownBy(() -> tasks.run(new Failing()))
        .hasMessage("job")
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void wrapsCheckedFailures() {
    assertThatThrownBy(() -> tasks.run(() -> forked(() -> raise(new IOException("disk")))))
        .isInstanceOf(TaskFailedException.class)
        .hasMessage("a task has failed: java.io.IOException: disk")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void throwsTheFirstFailureWithTheLaterOnesSuppressed() throws Exception {
    var bothRun = new CyclicBarrier(2);
    Task<Integer> failing =
        () -> {
          if (workers > 1) {
            bothRun.await(30, TimeUnit.SECONDS);
          }
          throw new IllegalStateException("failed");
        };
    assertThatThrownBy(
            () ->
                tasks.run(
                    () -> {
                      try (var scope = Scope.open()) {
                        scope.fork(failing);
                        scope.fork(failing);
                        scope.sync();
                        return 0;
                      }
                    }))
        .hasMessage("failed")
        .satisfies(e -> assertThat(e.getSuppressed().length).isLessThan(2));
  }

  @Test
  void cancelsTheSiblingsOfAFailure() {
    var executed = new AtomicInteger();
    assertThatThrownBy(
            () ->
                tasks.run(
                    () -> {
                      try (var scope = Scope.open()) {
                        for (int i = 0; i < 10_000; i++) {
                          scope.fork(executed::incrementAndGet);
                        }
                        scope.fork(() -> raise(new IllegalStateException("stop")));
                        scope.sync();
                        return 0;
                      }
                    }))
        .hasMessage("stop");
    assertThat(executed.get()).isLessThan(workers == 1 ? 1 : 10_001);
  }

  @Test
  void leavesEachForkItsOutcomeIfFailuresAreKept() {
    var outcomes =
        tasks.run(
            () -> {
              try (var scope = Scope.open()) {
                var good = scope.fork(() -> 42);
                var bad = scope.<Integer>fork(() -> raise(new IOException("disk")));
                scope.sync(Scope.Failures.KEEP);
                assertThatThrownBy(bad::get)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the task has failed")
                    .hasRootCauseMessage("disk");
                return List.of(
                    good.get(), good.failure().isEmpty(), bad.failure().orElseThrow().getMessage());
              }
            });
    assertThat(outcomes).isEqualTo(List.of(42, true, "disk"));
  }

  @Test
  void refusesAResultBeforeSync() {
    assertThatThrownBy(
            () ->
                tasks.run(
                    () -> {
                      try (var scope = Scope.open()) {
                        var fork = scope.fork(() -> 1);
                        return fork.get();
                      }
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the result is there after sync(); the task has not been waited for");
  }

  @Test
  void runsHandlersOnTheThreadOfTheirScopeOneAtATime() {
    var handled = new ArrayList<Integer>();
    tasks.run(
        () -> {
          var thread = Thread.currentThread();
          try (var scope = Scope.open()) {
            for (int i = 0; i < 500; i++) {
              int number = i;
              scope.fork(
                  () -> number,
                  value -> {
                    assertThat(Thread.currentThread()).isSameAs(thread);
                    handled.add(value);
                  });
            }
            scope.sync();
          }
          return 0;
        });
    assertThat(handled).hasSize(500).doesNotHaveDuplicates();
  }

  @Test
  void letsHandlersForkMore() {
    var found = new AtomicInteger();
    tasks.run(
        () -> {
          try (var scope = Scope.open()) {
            search(scope, 6, found);
            scope.sync();
          }
          return 0;
        });
    assertThat(found.get()).isEqualTo(127);
  }

  @Test
  void countsAFailureOfAHandlerAsOneOfTheScope() {
    assertThatThrownBy(
            () ->
                tasks.run(
                    () -> {
                      try (var scope = Scope.open()) {
                        scope.fork(
                            () -> 1,
                            value -> {
                              throw new IllegalStateException("handler");
                            });
                        scope.sync();
                        return 0;
                      }
                    }))
        .hasMessage("handler");
  }

  @Test
  void endsRunningTasksAtTheirCheckpointWhenCancelled() {
    int others = Math.min(1, workers - 1);
    var begun = new CountDownLatch(others);
    boolean cancelled =
        tasks.run(
            () -> {
              try (var scope = Scope.open()) {
                var endless = new ArrayList<Fork<Integer>>();
                for (int i = 0; i < others; i++) {
                  endless.add(
                      scope.fork(
                          () -> {
                            begun.countDown();
                            while (true) {
                              Tasks.checkpoint();
                            }
                          }));
                }
                assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
                scope.cancel();
                scope.sync();
                return endless.stream().allMatch(Fork::isCancelled);
              }
            });
    assertThat(cancelled).isTrue();
  }

  @Test
  void endsDescendantsOfCancelledTasks() {
    int others = Math.min(1, workers - 1);
    var begun = new CountDownLatch(others);
    tasks.run(
        () -> {
          try (var scope = Scope.open()) {
            for (int i = 0; i < others; i++) {
              scope.fork(() -> forkForEver(begun));
            }
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            scope.cancel();
            scope.sync();
          }
          return 0;
        });
    assertThat(tasks.run(() -> fib(10))).isEqualTo(55);
  }

  @Test
  void doesNotConcernLaterForksByACancel() {
    int value =
        tasks.run(
            () -> {
              try (var scope = Scope.open()) {
                scope.fork(() -> 1);
                scope.cancel();
                var later = scope.fork(() -> 2);
                scope.sync();
                return later.get();
              }
            });
    assertThat(value).isEqualTo(2);
  }

  @Test
  void waitsForItsTasksWhenItIsClosed() {
    var executed = new AtomicInteger();
    tasks.run(
        () -> {
          try (var scope = Scope.open()) {
            for (int i = 0; i < 100; i++) {
              scope.fork(executed::incrementAndGet);
            }
          }
          return executed.get();
        });
    assertThat(executed.get()).isEqualTo(100);
  }

  @Test
  void refusesScopesOfOthers() {
    assertThatThrownBy(Scope::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("executes no task; open scopes within a task");
    var leaked = new AtomicReference<Scope>();
    tasks.run(
        () -> {
          try (var scope = Scope.open()) {
            leaked.set(scope);
          }
          return 0;
        });
    assertThatThrownBy(() -> leaked.get().fork(() -> 1))
        .hasMessageContaining("a scope belongs to the call that opened it");
    assertThatThrownBy(
            () ->
                tasks.run(
                    () -> {
                      var scope = Scope.open();
                      scope.close();
                      return scope.fork(() -> 1);
                    }))
        .hasMessage("fork of a closed scope; open another one");
  }

  @Test
  void refusesToForkAJobTwice() {
    assertThatThrownBy(() -> tasks.run(new Twice()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was forked before");
  }

  @Test
  void refusesToRunWithinATask() {
    assertThatThrownBy(() -> tasks.run(() -> tasks.run(() -> 1)))
        .hasMessageContaining("open a Scope and fork the task");
  }

  @Test
  void letsOthersWorkWhileATaskWaits() throws Exception {
    var opened = new CountDownLatch(workers + 2);
    var waiting = new ArrayList<java.util.concurrent.CompletableFuture<Boolean>>();
    for (int i = 0; i < workers + 2; i++) {
      waiting.add(
          tasks.submit(
              () ->
                  Tasks.blocking(
                      () -> {
                        opened.countDown();
                        return opened.await(30, TimeUnit.SECONDS);
                      })));
    }
    assertThat(waiting).allSatisfy(future -> assertThat(future.join()).isTrue());
  }

  @Test
  void givesEachWorkerAValueOfItsOwn() {
    int first = tasks.run(() -> PER_WORKER.get().incrementAndGet());
    assertThat(first).isOne();
    assertThat(PER_WORKER.get().get()).isZero();
  }

  @Test
  void endsWhatRunsWhenClosed() throws Exception {
    var begun = new CountDownLatch(1);
    var endless = tasks.submit(() -> forkForEver(begun));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    tasks.close();
    assertThatThrownBy(endless::join).isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> tasks.run(() -> 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void reportsWhatWasDone() {
    tasks.run(new Fib(15));
    var total = tasks.report().total();
    assertThat(total.forks()).isEqualTo(986);
    assertThat(total.workers()).isEqualTo(workers);
  }

  @Test
  void explainsAnOverflowOfTheStack() {
    assertThatThrownBy(() -> tasks.run(new Chain(50_000_000)))
        .isInstanceOf(StackOverflowError.class)
        .hasMessageContaining(
            "nested tasks have filled the stack of 64 MiB; raise -Dtroupe.tasks.stack");
    assertThat(tasks.run(() -> fib(10))).isEqualTo(55);
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

  private static <V> V forked(Task<V> task) {
    try (var scope = Scope.open()) {
      var fork = scope.<V>fork(task);
      scope.sync();
      return fork.get();
    }
  }

  private static int raise(Exception failure) throws Exception {
    throw failure;
  }

  private static void search(Scope scope, int depth, AtomicInteger found) {
    scope.fork(
        () -> depth,
        value -> {
          found.incrementAndGet();
          if (value > 0) {
            search(scope, value - 1, found);
            search(scope, value - 1, found);
          }
        });
  }

  private static int forkForEver(CountDownLatch begun) {
    try (var scope = Scope.open()) {
      while (true) {
        scope.fork(() -> 1);
        scope.sync();
        begun.countDown();
      }
    }
  }

  static final class Fib extends LongJob {
    private final int n;

    Fib(int n) {
      this.n = n;
    }

    @Override
    protected long compute() {
      if (n < 2) {
        return n;
      }
      var left = fork(new Fib(n - 1));
      long right = new Fib(n - 2).compute();
      sync();
      return left.result() + right;
    }
  }

  static final class Chain extends LongJob {
    private final int length;

    Chain(int length) {
      this.length = length;
    }

    @Override
    protected long compute() {
      if (length == 0) {
        return 0;
      }
      var rest = fork(new Chain(length - 1));
      sync();
      return rest.result() + 1;
    }
  }

  static final class Names extends Job<List<String>> {
    private final String prefix;
    private final int more;

    Names(String prefix, int more) {
      this.prefix = prefix;
      this.more = more;
    }

    @Override
    protected List<String> compute() {
      if (more == 0) {
        return List.of(prefix);
      }
      var first = fork(new Names(prefix + "a", more - 1));
      var second = fork(new Names(prefix + "b", more - 1));
      sync();
      var all = new ArrayList<>(first.result());
      all.addAll(second.result());
      return all;
    }
  }

  static final class Area extends DoubleJob {
    private final double from;
    private final double to;

    Area(double from, double to) {
      this.from = from;
      this.to = to;
    }

    @Override
    protected double compute() {
      if (to - from < 0.01) {
        return (to - from) * (from * from + to * to) / 2;
      }
      double middle = (from + to) / 2;
      var left = fork(new Area(from, middle));
      double right = new Area(middle, to).compute();
      sync();
      return left.result() + right;
    }
  }

  static final class Failing extends LongJob {
    @Override
    protected long compute() {
      fork(new Names("a", 2));
      var division = fork(new Division(0));
      sync();
      return division.result();
    }
  }

  static final class Division extends LongJob {
    private final long by;

    Division(long by) {
      this.by = by;
    }

    @Override
    protected long compute() {
      if (by == 0) {
        throw new ArithmeticException("job");
      }
      return 1 / by;
    }
  }

  static final class Twice extends LongJob {
    @Override
    protected long compute() {
      var once = fork(new Division(1));
      fork(once);
      sync();
      return 0;
    }
  }

  @Test
  void cancellingTheFutureOfATaskCancelsIt() throws Exception {
    var begun = new CountDownLatch(1);
    try (var tasks = Tasks.here(1)) {
      var running =
          tasks.submit(
              () -> {
                begun.countDown();
                while (true) {
                  Tasks.checkpoint();
                }
              });
      begun.await();
      var waiting = tasks.submit(() -> fail("it was cancelled before it could begin"));
      waiting.cancel(true);
      running.cancel(true);
      assertThat(tasks.run(() -> 17)).isEqualTo(17); // by the only worker
    }
  }
}
