package org.troupe.em3d.maxwell;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread and its helpers, who do a piece of work together, again and again. The thread takes a
 * share itself and is the only one to call. Closing ends the helpers, and waits for that.
 */
public final class ThreadTeam implements AutoCloseable {

  /*
   * Half a step may be shorter than it takes to wake a thread, so who waits looks for the others a
   * while before it sleeps. Not for long, as there may be more threads than processors. Nothing is
   * made in a round: the time loop is to leave no garbage.
   */
  private static final int LOOKS = 2000;

  /** What is done together. */
  interface Work {

    /** Does the share of a member; that of the calling thread is 0. */
    void share(int member);
  }

  private final Thread[] helpers;
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private Work work; // null: go home; read after a change of round, as is the caller
  private Thread caller;
  private boolean closed; // the caller's
  private volatile int round;

  /**
   * Starts the helpers.
   *
   * @param size how many threads there are with the caller's
   * @param name of the helpers' threads
   */
  public ThreadTeam(int size, String name) {
    if (size < 1) {
      throw new IllegalArgumentException(
          "a team of %d threads: at least the caller's is in it".formatted(size));
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

  /** A team of the caller alone. */
  static ThreadTeam alone() {
    return new ThreadTeam(1, "");
  }

  /** How many threads it has. */
  public int size() {
    return helpers.length + 1;
  }

  /** Has all do their shares, and waits for them; throws what the first to fail threw. */
  void run(Work together) {
    if (closed) {
      throw new IllegalStateException("the team is closed; make another one");
    }
    caller = Thread.currentThread();
    working.set(helpers.length);
    begin(together);
    attempt(together, 0);
    for (int looks = 0; working.get() > 0; looks++) {
      rest(looks);
    }
    switch (failure.getAndSet(null)) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      case Throwable other -> throw new IllegalStateException(other);
    }
  }

  private void begin(Work together) {
    work = together;
    round++; // nobody else writes it
    for (Thread helper : helpers) {
      LockSupport.unpark(helper);
    }
  }

  private void help(int member) {
    for (int seen = 0; ; seen++) {
      for (int looks = 0; round == seen; looks++) {
        rest(looks);
      }
      if (work == null) {
        return;
      }
      attempt(work, member);
      Thread waiting = caller; // of this round: after the last count there may be another one
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

  private void rest(int looks) {
    if (looks < LOOKS) {
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
          interrupted = true; // they have nothing left to do, so this does not take long
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
