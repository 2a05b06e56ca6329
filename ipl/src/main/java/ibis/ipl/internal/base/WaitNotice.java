package ibis.ipl.internal.base;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;

/** Logs once, after a delay, the reason why a call of the program is waiting. */
public final class WaitNotice {

  private static final System.Logger LOG = System.getLogger(WaitNotice.class.getPackageName());

  /** The delay before the notice is logged; shortened by tests. */
  public static volatile long afterMillis = 10_000;

  private final long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(afterMillis);
  private final Supplier<String> text;
  private boolean logged;

  /**
   * Starts the delay.
   *
   * @param text names the call, the awaited condition and the remedy; evaluated when logged
   */
  public WaitNotice(Supplier<String> text) {
    this.text = text;
  }

  /** Waits for a signal, or until the notice has been logged. */
  public void await(Condition changed) throws InterruptedException {
    if (logged) {
      changed.await();
    } else if (changed.awaitNanos(due - System.nanoTime()) <= 0) {
      log();
    }
  }

  /**
   * Waits for a signal, the end of a time or the printing of the notice; returns the time that is
   * left.
   */
  public long awaitNanos(Condition changed, long nanos) throws InterruptedException {
    long untilDue = due - System.nanoTime();
    if (logged || nanos <= untilDue) {
      return changed.awaitNanos(nanos);
    }
    long rest = changed.awaitNanos(untilDue);
    if (rest <= 0) {
      log();
    }
    return nanos - untilDue + rest;
  }

  /**
   * Waits for a signal or until the notice has been logged; an interrupt is restored afterwards.
   */
  public void awaitUninterruptibly(Condition changed) {
    boolean interrupted = Thread.interrupted();
    try {
      await(changed);
    } catch (InterruptedException _) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether the notice has been logged. */
  public boolean isLogged() {
    return logged;
  }

  private void log() {
    logged = true;
    LOG.log(Level.WARNING, text.get());
  }
}
