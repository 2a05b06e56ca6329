package org.troupe.em3d.maxwell;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread and its helper threads, which execute a parallel loop again and again. Only that thread
 * may call; it takes a share of the work itself. Closing ends the helpers and waits for them.
 */
public final class ThreadTeam implements AutoCloseable {

  /*
   * Half a step may be shorter than the wake-up of a thread, so a waiting thread spins before it parks;
   * only for a short time, as there may be more threads than processors. A round allocates nothing, so
   * that the time loop leaves no garbage.
   *
   * Memory order: the caller writes work and caller, then increments the volatile round; a helper reads
   * them after it sees the new round. Results are published by the atomic counter of working helpers.
   */
  private static final int SPINS = 2000;

  /** Work that is divided among the threads. */
  interface Work {

    /** Executes the share of one thread; the calling thread has number 0. */
    void share(int member);
  }

  private final Thread[] helpers;
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private @Nullable Work work; // null ends the helpers; published by round, like caller
  private @Nullable Thread caller;
  private boolean closed; // used by the caller only
  private volatile int round;

  /**
   * Starts the helpers.
   *
   * @param size the number of threads, the caller included
   * @param name prefix of the helper threads' names
   */
  public ThreadTeam(int size, String name) {
    if (size < 1) {
      throw new IllegalArgumentException(
          "a team of %d threads is impossible; the smallest one has 1, the caller".formatted(size));
    }
    helpers = new Thread[size - 1];
    try {
      for (int k = 0; k < helpers.length; k++) {
        int member = k + 1;
        helpers[k] =
            Thread.ofPlatform().daemon().name(name + "-" + member).start(() -> help(member));
      }
    } catch (OutOfMemoryError noMoreThreads) {
      close();
      throw noMoreThreads;
    }
  }

  /** Returns a team without helpers. */
  static ThreadTeam alone() {
    return new ThreadTeam(1, "");
  }

  /** Returns the number of threads, the caller included. */
  public int size() {
    return helpers.length + 1;
  }

  /** Executes all shares and waits for them; rethrows the first exception of a share. */
  void run(Work together) {
    if (closed) {
      throw new IllegalStateException("the team is closed; make another one");
    }
    caller = Thread.currentThread();
    working.set(helpers.length);
    begin(together);
    attempt(together, 0);
    for (int spins = 0; working.get() > 0; spins++) {
      backOff(spins);
    }
    switch (failure.getAndSet(null)) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      case Throwable other -> throw new IllegalStateException(other);
    }
  }

  private void begin(@Nullable Work together) {
    work = together;
    round++; // only the caller writes it
    for (Thread helper : helpers) {
      LockSupport.unpark(helper);
    }
  }

  private void help(int member) {
    for (int seen = 0; ; seen++) {
      for (int spins = 0; round == seen; spins++) {
        backOff(spins);
      }
      if (work == null) {
        return;
      }
      attempt(work, member);
      Thread waiting =
          caller; // read before the count: after it, the caller may begin another round
      if (working.decrementAndGet() == 0) {
        LockSupport.unpark(waiting);
      }
    }
  }

  private void attempt(Work together, int member) {
    try {
      together.share(member);
    } catch (Throwable thrown) {
      failure.compareAndSet(null, thrown);
    }
  }

  private void backOff(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.park(this);
    }
  }

  @Override
  public void close() {
    closed = true;
    begin(null);
    boolean interrupted = false;
    for (Thread helper : helpers) {
      while (helper != null && helper.isAlive()) {
        try {
          helper.join();
        } catch (InterruptedException e) {
          interrupted = true; // the helpers end soon, so the wait goes on
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
