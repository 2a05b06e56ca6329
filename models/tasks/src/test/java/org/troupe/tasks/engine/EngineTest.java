package org.troupe.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;

/** What the engine does when jobs leave it, come back, fail or wait. */
@Timeout(60)
class EngineTest {

  private final Engine engine = Engine.start(new EngineSettings(1, 1 << 19));

  @AfterEach
  void close() {
    engine.close();
  }

  /** A job that is given as a lambda. */
  static final class Call extends Spawn {
    private final Body body;

    Call(Body body) {
      this.body = body;
    }

    interface Body {
      void run(Call self) throws Exception;
    }

    Call fork(Body job) {
      return forkJob(new Call(job));
    }

    void sync() {
      joinForks();
    }

    void cancel() {
      cancelForks();
    }

    @Override
    protected void execute() throws Exception {
      body.run(this);
    }

    @Override
    protected @Nullable Object outcome() {
      return null;
    }

    @Override
    protected void setOutcome(@Nullable Object outcome) {}
  }

  private JobDeparture departed() {
    return departed(engine);
  }

  private static JobDeparture departed(Engine engine) {
    while (true) {
      var departures = engine.depart(1);
      if (!departures.isEmpty()) {
        return departures.getFirst();
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void cancelsAJobThatComesBackToACancelledFrame() throws Exception {
    var hasLeft = new CountDownLatch(1);
    var executed = new AtomicInteger();
    var root =
        engine.submit(
            new Call(
                self -> {
                  self.fork(child -> executed.incrementAndGet());
                  hasLeft.await();
                  throw new IllegalStateException("root");
                }));
    var departure = departed();
    hasLeft.countDown();
    while (!departure.isCancelled()) {
      Thread.onSpinWait();
    }
    departure.comeBack();
    assertThatThrownBy(() -> root.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("root");
    assertThat(executed.get()).isZero();
  }

  @Test
  void cancelsAJobThatCameBackBeforeItsFrameWasCancelled() throws Exception {
    var isBack = new CountDownLatch(1);
    var executed = new AtomicInteger();
    var root =
        engine.submit(
            new Call(
                self -> {
                  self.fork(child -> executed.incrementAndGet());
                  isBack.await();
                  throw new IllegalStateException("root");
                }));
    departed().comeBack();
    isBack.countDown();
    assertThatThrownBy(() -> root.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("root");
    assertThat(executed.get()).isZero();
  }

  @Test
  void completesAllRootsWhenItIsClosed() throws Exception {
    var hasBegun = new CountDownLatch(1);
    var mayEnd = new CountDownLatch(1);
    var running =
        engine.submit(
            new Call(
                self -> {
                  hasBegun.countDown();
                  mayEnd.await();
                }));
    hasBegun.await();
    var waiting = engine.submitAnywhere(new Call(self -> {}));
    var away = engine.submitAnywhere(new Call(self -> {}));
    var departure = departed(); // that of the first one
    engine.close();
    departure.comeBack();
    mayEnd.countDown();
    assertThatThrownBy(() -> engine.submit(new Call(self -> {})))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(waiting::join).isInstanceOf(CancellationException.class);
    assertThatThrownBy(away::join).isInstanceOf(CancellationException.class);
    running.handle((job, failure) -> job).get(20, TimeUnit.SECONDS); // ends, one way or the other
  }

  @Test
  void survivesActionsThatFail(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "an action of a model at a safe point was not completed");
    var ran = new CountDownLatch(1);
    engine.atSafePoint(
        () -> {
          throw new IllegalStateException("action");
        });
    engine.atSafePoint(ran::countDown);
    assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    engine.submit(new Call(self -> {})).get(20, TimeUnit.SECONDS);
  }

  @Test
  void survivesAReportOfAnEndThatFails(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "the end of a task was not reported");
    var arrived = new Call(self -> {});
    engine.arrive(
        arrived,
        JobName.ofRoot(),
        false,
        ended -> {
          throw new IllegalStateException("report");
        });
    engine.give(arrived);
    engine.submit(new Call(self -> {})).get(20, TimeUnit.SECONDS); // by the only worker
  }

  @Test
  void looksForRepeatedJobsOnlyWhileThereAreSome() throws Exception {
    var mayEnd = new CountDownLatch(1);
    var ended = new CountDownLatch(1);
    var arrived = new Call(self -> mayEnd.await());
    engine.arrive(arrived, JobName.ofRoot(), true, job -> ended.countDown());
    assertThat(engine.hasRepeats()).isTrue();
    engine.give(arrived);
    mayEnd.countDown();
    assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(engine.hasRepeats()).isFalse();

    var root = engine.submitAnywhere(new Call(self -> {}));
    engine.depart(1).forEach(departure -> departure.repeat("lost", 2));
    root.get(20, TimeUnit.SECONDS);
    assertThat(engine.hasRepeats()).isFalse();
  }

  @Test
  void repeatsAJobOnlySoManyTimes() {
    engine.leave(1); // no worker takes it
    var root = engine.submitAnywhere(new Call(self -> {}));
    var departure = departed();
    assertThat(departure.repeat("one", 1)).isTrue();
    departure = departed();
    assertThat(departure.repeat("two", 1)).isFalse();
    assertThat(departure.losses()).containsExactly("one", "two");
    departure.ended(
        job -> {
          throw new IllegalStateException("lost");
        });
    assertThatThrownBy(root::join).hasRootCauseMessage("lost");
    assertThat(engine.hasRepeats()).isFalse();
  }

  @Test
  void usesTheThreadsOfBlockingCallsAgain() throws Exception {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 200; i++) {
      var inside =
          engine.submit(
              new Call(
                  self -> {
                    var other =
                        engine.submit(new Call(o -> threads.add(Thread.currentThread().getName())));
                    Engine.blocking(() -> other.get(20, TimeUnit.SECONDS));
                  }));
      inside.get(20, TimeUnit.SECONDS);
    }
    assertThat(threads.size()).isLessThan(10);
    assertThat(engine.totals().workers()).isOne();
  }

  @Test
  void boundsTheThreadsOfBlockingCalls(LogRecords records) throws Exception {
    records.allow(Level.WARNING, "tasks wait in Tasks.blocking");
    int calls = WorkerPlaces.MOST_SUBSTITUTES + 50;
    var waiting = new CountDownLatch(WorkerPlaces.MOST_SUBSTITUTES + 1);
    var mayEnd = new CountDownLatch(1);
    Set<Thread> threads = Collections.synchronizedSet(new java.util.HashSet<>());
    var roots = new ArrayList<CompletableFuture<Call>>();
    for (int i = 0; i < calls; i++) {
      roots.add(
          engine.submit(
              new Call(
                  self ->
                      Engine.blocking(
                          () -> {
                            threads.add(Thread.currentThread());
                            waiting.countDown();
                            return mayEnd.await(50, TimeUnit.SECONDS);
                          }))));
    }
    assertThat(waiting.await(40, TimeUnit.SECONDS)).isTrue();
    assertThat(threads).hasSize(WorkerPlaces.MOST_SUBSTITUTES + 1);
    mayEnd.countDown();
    for (var root : roots) {
      root.get(40, TimeUnit.SECONDS);
    }
    assertThat(threads).hasSizeLessThanOrEqualTo(WorkerPlaces.MOST_SUBSTITUTES + 1);
  }

  /** Beyond the half of its stack, a worker takes only what the frame that waits needs. */
  @Test
  void takesOnlyDescendantsWhenItsStackIsHalfFull() throws Exception {
    int stack = 2 << 20;
    int levelsOfHalf = stack / 2 / 384;
    for (int depth : new int[] {5, levelsOfHalf + 300}) {
      try (var deep = Engine.start(new EngineSettings(1, stack))) {
        var order = Collections.synchronizedList(new ArrayList<String>());
        var isDeep = new CountDownLatch(1);
        var root = deep.submit(new Nested(depth, order, isDeep));
        isDeep.await();
        var departure = departed(deep);
        var unrelated = deep.submitAnywhere(new Call(self -> order.add("unrelated")));
        if (depth == 5) {
          unrelated.get(20, TimeUnit.SECONDS);
        }
        departure.comeBack();
        root.get(20, TimeUnit.SECONDS);
        unrelated.get(20, TimeUnit.SECONDS);
        assertThat(order)
            .isEqualTo(
                depth == 5 ? List.of("unrelated", "needed") : List.of("needed", "unrelated"));
      }
    }
  }

  /** Forks itself so many times; the last one forks a job and waits until another node has it. */
  static final class Nested extends Spawn {
    private final int more;
    private final List<String> order;
    private final CountDownLatch isDeep;

    Nested(int more, List<String> order, CountDownLatch isDeep) {
      this.more = more;
      this.order = order;
      this.isDeep = isDeep;
    }

    @Override
    protected void execute() {
      if (more > 0) {
        forkJob(new Nested(more - 1, order, isDeep));
      } else {
        forkJob(new Call(self -> order.add("needed")));
        isDeep.countDown();
        while (Worker.current().deque.size() > 0) {
          Thread.onSpinWait();
        }
      }
      joinForks();
    }

    @Override
    protected @Nullable Object outcome() {
      return null;
    }

    @Override
    protected void setOutcome(@Nullable Object outcome) {}
  }

  @Test
  void endsAJobThatHasLeftASharedFork() throws ExecutionException, InterruptedException {
    var executed = new AtomicInteger();
    var root =
        engine.submit(
            new Call(
                self ->
                    self.fork(
                        child -> {
                          var called =
                              new Call(direct -> direct.fork(c -> executed.incrementAndGet()));
                          called.body.run(called);
                        })));
    root.get();
    assertThat(executed.get()).isOne();
  }
}
