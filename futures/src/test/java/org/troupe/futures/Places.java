package org.troupe.futures;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** What waiting means in these tests: it is noted, and one may refuse it. */
final class Places implements FutureRuntime {

  /** Stages run here when {@link #runStages} is called. */
  private final Queue<Runnable> stages = new ArrayDeque<>();

  final List<Boolean> begun = new CopyOnWriteArrayList<>(); // whether each was bounded
  final List<String> ended = new CopyOnWriteArrayList<>();
  final List<Thread> detached = new CopyOnWriteArrayList<>();
  final CountDownLatch somebodyWaits = new CountDownLatch(1);
  volatile RuntimeException refusal;
  volatile RuntimeException stageRefusal;

  private final Executor executor =
      stage -> {
        synchronized (stages) {
          stages.add(stage);
          stages.notifyAll();
        }
      };

  @Override
  public Runnable begins(FutureResult<?> awaited, boolean bounded) {
    if (refusal != null) {
      throw refusal;
    }
    begun.add(bounded);
    somebodyWaits.countDown();
    return () -> ended.add(awaited.describe());
  }

  @Override
  public Executor stages() {
    return executor;
  }

  @Override
  public void beginsForStage(Executor where, boolean bounded) {
    if (stageRefusal != null) {
      throw stageRefusal;
    }
  }

  @Override
  public void detached(Runnable work) {
    detached.add(Thread.currentThread());
    work.run();
  }

  <T> FutureResult<T> result(String description) {
    return new FutureResult<>(this) {
      @Override
      public String describe() {
        return description;
      }
    };
  }

  void awaitWaiter() throws InterruptedException {
    if (!somebodyWaits.await(10, TimeUnit.SECONDS)) {
      throw new AssertionError("nobody began to wait within 10 s");
    }
  }

  /** Waits for so many stages and runs them on this thread. */
  void runStages(int count) throws InterruptedException {
    for (var i = 0; i < count; i++) {
      Runnable next;
      synchronized (stages) {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (stages.isEmpty()) {
          var left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
          if (left <= 0) {
            throw new AssertionError("stage " + (i + 1) + " of " + count + " did not come in 10 s");
          }
          stages.wait(left);
        }
        next = stages.remove();
      }
      next.run();
    }
  }

  boolean hasStages() {
    synchronized (stages) {
      return !stages.isEmpty();
    }
  }
}
