package ibis.ipl.internal.base;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;

/** Logs once, after a delay, what one call of the program is waiting for. */
public final class WaitNotice {

  private static final System.Logger LOG = System.getLogger(WaitNotice.class.getPackageName());

  /** The delay before the notice is logged; shortened by tests. */
  public static volatile long afterMillis = 10_000;

  private final long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(afterMillis);
  private final Supplier<String> text;
  private boolean printed;

  /**
   * Starts the delay.
   *
   * @param text names the call, what it waits for and the remedy; evaluated in {@link #await} only
   */
  public WaitNotice(Supplier<String> text) {
    this.text = text;
  }

  /** Waits for a signal, or until the notice has been printed. */
  public void await(Condition changed) throws InterruptedException {
    if (printed) {
      changed.await();
    } else if (changed.awaitNanos(due - System.nanoTime()) <= 0) {
      print();
    }
  }

  /**
   * Waits for a signal, the end of a time or the printing of the notice; returns the time that is
   * left.
   */
  public long awaitNanos(Condition changed, long nanos) throws InterruptedException {
    long untilDue = due - System.nanoTime();
    if (printed || nanos <= untilDue) {
      return changed.awaitNanos(nanos);
    }
    long rest = changed.awaitNanos(untilDue);
    if (rest <= 0) {
      print();
    }
    return nanos - untilDue + rest;
  }

  /**
   * Waits for a signal or until the notice has been printed; an interrupt is restored afterwards.
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

  /** Returns whether the notice has been printed. */
  public boolean isPrinted() {
    return printed;
  }

  private void print() {
    printed = true;
    LOG.log(Level.WARNING, text.get());
  }
}
