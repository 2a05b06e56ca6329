package org.troupe.tasks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A program that measures the owner's part of three deques: bursts of pushes and as many pops, as a
 * depth-first search of a tree makes them, which no thief disturbs. Prints nanoseconds per push and
 * pop, the least of some rounds. Each deque, named by the argument, has a JVM of its own, in which
 * calls of it are inlined. The deques other than {@link SplitDeque} have the minimum that their
 * protocols need.
 */
final class DequeComparison {

  private static final int BURST = 16;
  private static final int PAIRS = 20_000_000;
  private static final int ROUNDS = 9;

  private interface Deque {
    void push(Spawn job);

    @Nullable Spawn pop();
  }

  /** D. Chase and Y. Lev, Dynamic circular work-stealing deque, SPAA 2005: a fence at each pop. */
  private static final class ChaseLev implements Deque {
    private static final VarHandle BOTTOM = handle(ChaseLev.class, "bottom");
    private final AtomicLong top = new AtomicLong();
    private final Spawn[] jobs = new Spawn[1024];
    private long bottom;

    @Override
    public void push(Spawn job) {
      long at = bottom;
      jobs[(int) at & jobs.length - 1] = job;
      BOTTOM.setRelease(this, at + 1);
    }

    @Override
    public @Nullable Spawn pop() {
      long at = bottom - 1;
      BOTTOM.setVolatile(this, at); // before the look at the top: the fence
      long oldest = top.get();
      if (at < oldest) {
        bottom = oldest;
        return null;
      }
      int slot = (int) at & jobs.length - 1;
      var job = jobs[slot];
      if (at == oldest) {
        if (!top.compareAndSet(oldest, oldest + 1)) {
          job = null;
        }
        bottom = oldest + 1;
      }
      jobs[slot] = null;
      return job;
    }
  }

  /**
   * M. Frigo, C. Leiserson and K. Randall, The implementation of the Cilk-5 language, PLDI 1998.
   */
  private static final class The implements Deque {
    private static final VarHandle TAIL = handle(The.class, "tail");
    private final Spawn[] jobs = new Spawn[1024];
    private volatile long headOfThieves;
    private long tail;

    @Override
    public void push(Spawn job) {
      jobs[(int) tail & jobs.length - 1] = job;
      TAIL.setRelease(this, tail + 1);
    }

    @Override
    public @Nullable Spawn pop() {
      TAIL.setVolatile(this, tail - 1); // before the look at the head: the fence
      if (headOfThieves > tail) {
        synchronized (this) {
          if (headOfThieves > tail) {
            tail = headOfThieves;
            return null;
          }
        }
      }
      int slot = (int) tail & jobs.length - 1;
      var job = jobs[slot];
      jobs[slot] = null;
      return job;
    }
  }

  /** The deque of the workers, with what a fork does beside the push. */
  private static final class Split implements Deque {
    private final SplitDeque deque = new SplitDeque();

    @Override
    public void push(Spawn job) {
      deque.push(job);
      if (deque.sharesNothing()) {
        deque.shareOldest();
      }
    }

    @Override
    public @Nullable Spawn pop() {
      return deque.pop();
    }
  }

  private DequeComparison() {}

  static void main(String[] arguments) {
    var deque =
        switch (arguments[0]) {
          case "split" -> new Split();
          case "chase-lev" -> new ChaseLev();
          case "the" -> new The();
          default -> throw new IllegalArgumentException("split, chase-lev or the");
        };
    double least = Double.MAX_VALUE;
    var jobs = new Spawn[BURST];
    Arrays.setAll(jobs, SplitDequeTest.Item::new);
    for (int round = 0; round < ROUNDS; round++) {
      long begun = System.nanoTime();
      int popped = run(deque, jobs);
      double nanos = (double) (System.nanoTime() - begun) / PAIRS;
      if (popped != PAIRS) {
        throw new AssertionError(popped + " of " + PAIRS + " jobs came back");
      }
      least = Math.min(least, nanos);
    }
    System.out.printf("%s %.2f ns per push and pop%n", arguments[0], least);
  }

  /** Keeps one job below the bursts, as the depth-first search of a tree does. */
  private static int run(Deque deque, Spawn[] jobs) {
    int popped = 0;
    deque.push(jobs[0]);
    for (int i = 0; i < PAIRS / BURST; i++) {
      for (var job : jobs) {
        deque.push(job);
      }
      for (int k = 0; k < BURST; k++) {
        popped += deque.pop() == null ? 0 : 1;
      }
    }
    deque.pop();
    return popped;
  }

  private static VarHandle handle(Class<?> type, String field) {
    try {
      return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
          .findVarHandle(type, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
