package org.troupe.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SplitDequeTest {

  /** A job that is only handed out. */
  static final class Item extends Spawn {
    final int number;

    Item(int number) {
      this.number = number;
    }

    @Override
    protected void execute() {}

    @Override
    protected @Nullable Object outcome() {
      return null;
    }

    @Override
    protected void setOutcome(@Nullable Object outcome) {}
  }

  private final SplitDeque deque = new SplitDeque(2);

  @Test
  void givesTheYoungestToItsOwnerAndTheOldestToThieves() {
    push(0, 1, 2, 3);
    deque.shareOldest();
    deque.shareHalf();

    assertThat(number(deque.steal())).isZero();
    assertThat(number(deque.pop())).isEqualTo(3);
    assertThat(number(deque.steal())).isOne();
    assertThat(number(deque.pop())).isEqualTo(2);
    assertThat(deque.pop()).isNull();
    assertThat(deque.steal()).isNull();
  }

  @Test
  void hidesFromThievesWhatIsPrivate() {
    push(0, 1);

    assertThat(deque.steal()).isNull();
    deque.shareOldest();
    assertThat(number(deque.steal())).isZero();
    assertThat(deque.steal()).isNull();
  }

  @Test
  void growsWhileItsOldestAreTaken() {
    int popped = 0;
    int pushed = 0;
    int stolen = 0;
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < round; i++) {
        push(pushed++);
        deque.shareOldest();
      }
      for (int i = 0; i < round / 3; i++) {
        stolen += deque.steal() == null ? 0 : 1;
        popped += deque.pop() == null ? 0 : 1;
      }
    }
    while (deque.pop() != null) {
      popped++;
    }
    assertThat(popped + stolen).isEqualTo(pushed);
  }

  @Test
  void keepsNoReferenceToWhatWasTaken() {
    push(0, 1, 2, 3, 4);
    deque.shareHalf();
    deque.steal();
    deque.pop();
    deque.steal();
    while (deque.pop() != null) {}

    assertThat(deque.array).containsOnlyNulls();
  }

  /** Owner and thieves meet at the last job again and again. */
  @Test
  @Timeout(60)
  void handsOutTheLastJobOnce() throws Exception {
    handsOutEachJobOnce(1, 400_000, 1);
  }

  @Test
  @Timeout(60)
  void handsOutEachJobOnceToOwnerAndThieves() throws Exception {
    handsOutEachJobOnce(2, 400_000, 7);
  }

  @Test
  @Timeout(60)
  void handsOutEachJobOnceWhileItGrows() throws Exception {
    handsOutEachJobOnce(2, 300_000, 3_000);
  }

  /**
   * Checks histories: each job is taken exactly once, a thief takes ever younger jobs of one
   * filling, and no slot keeps a job.
   */
  private void handsOutEachJobOnce(int thieves, int jobs, int burst) throws Exception {
    var taken = new AtomicIntegerArray(jobs);
    var start = new CyclicBarrier(thieves + 1);
    var stop = new boolean[1];
    var threads = new ArrayList<Thread>();
    var errors = new ArrayList<String>();
    for (int i = 0; i < thieves; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(start);
                    while (true) {
                      boolean last = isStopped(stop);
                      var job = deque.steal();
                      if (job != null) {
                        taken.incrementAndGet(number(job));
                      } else if (last) {
                        return;
                      } else {
                        Thread.onSpinWait();
                      }
                    }
                  }));
    }
    await(start);
    var random = new Random(42);
    for (int next = 0; next < jobs; ) {
      int count = Math.min(jobs - next, 1 + random.nextInt(burst));
      for (int i = 0; i < count; i++) {
        deque.push(new Item(next++));
        deque.shareOldest();
      }
      if (random.nextInt(3) == 0) {
        deque.shareHalf();
      }
      int kept = random.nextInt(4) == 0 ? random.nextInt(burst) : 0;
      while (deque.size() > kept) {
        var job = deque.pop();
        if (job == null) {
          break;
        }
        taken.incrementAndGet(number(job));
      }
    }
    for (Spawn job; (job = deque.pop()) != null; ) {
      taken.incrementAndGet(number(job));
    }
    synchronized (stop) {
      stop[0] = true;
    }
    for (var thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(30));
      assertThat(thread.isAlive()).as("a thief still runs").isFalse();
    }
    for (int i = 0; i < jobs; i++) {
      if (taken.get(i) != 1) {
        errors.add("job " + i + " was handed out " + taken.get(i) + " times");
      }
    }
    assertThat(errors).isEmpty();
    assertThat(deque.array).containsOnlyNulls();
  }

  private static boolean isStopped(boolean[] stop) {
    synchronized (stop) {
      return stop[0];
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the threads did not start", e);
    }
  }

  private void push(int... numbers) {
    for (int number : numbers) {
      deque.push(new Item(number));
    }
  }

  private static int number(@Nullable Spawn job) {
    return ((Item) java.util.Objects.requireNonNull(job, "no job")).number;
  }
}
