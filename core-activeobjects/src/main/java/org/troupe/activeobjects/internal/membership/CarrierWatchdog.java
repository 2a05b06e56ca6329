package org.troupe.activeobjects.internal.membership;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.Nullable;

/**
 * Adds carriers while all carriers of this JVM's virtual threads are occupied and other virtual
 * threads wait for one. Thread-safe; platform threads call {@link #check} periodically.
 */
public final class CarrierWatchdog {

  /*
   * Design: more carriers for requests that compute
   *
   * Bodies serve requests on virtual threads. There are as many carriers as processors, and a virtual thread occupies
   * one while it computes or decodes. A body that is found to compute gets a platform thread for its next request, but
   * its first long request stays on its carrier. One such request for each processor would stop all other objects
   * of the node, although its heartbeats continue.
   *
   * When virtual threads are queued, the watchdog starts one more as a probe. If the probe does not run for a while,
   * the watchdog adds a carrier, and further ones at intervals until it runs; the operating system then shares the
   * processors among all carriers. The added carriers are removed when fewer carriers are occupied than there were
   * originally.
   *
   * While no virtual thread runs or is queued at several checks in a row, the checks become rarer: a node without
   * work would otherwise spend most of its processor time on them.
   */

  /** The watchdog of this JVM's scheduler. */
  public static final CarrierWatchdog OF_JVM =
      new CarrierWatchdog(
          new JdkScheduler(), System::nanoTime, probe -> Thread.startVirtualThread(probe));

  static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The time between two checks of a JVM whose virtual threads are all idle. */
  static final long IDLE_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The number of consecutive checks that must find no virtual thread before they become rarer. */
  private static final int IDLE_CHECKS = 10;

  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int MOST_ADDED = 256;

  /**
   * The number of consecutive checks that must find a free carrier before added ones are removed.
   */
  private static final int CALM_CHECKS = 10;

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final Scheduler scheduler;
  private final LongSupplier clock;
  private final Consumer<Runnable> starter;

  // Guarded by this
  private @Nullable Probe probe; // null: no virtual thread was queued
  private long lastCheckNanos;
  private long lastAddedNanos;
  private long occupiedSinceNanos; // while carriers are added
  private int usual; // the original parallelism, while carriers are added
  private int added;
  private int calmChecks;
  private int idleChecks;

  /** The scheduler of virtual threads. */
  interface Scheduler {
    int parallelism();

    void parallelism(int carriers);

    /** Returns the approximate number of virtual threads that wait for a carrier. */
    long queued();

    /** Returns the approximate number of occupied carriers. */
    int occupied();
  }

  /** A virtual thread that records that it has run. */
  private record Probe(long startedNanos, AtomicBoolean hasRun) implements Runnable {
    @Override
    public void run() {
      hasRun.set(true);
    }
  }

  private static final class JdkScheduler implements Scheduler {

    private final VirtualThreadSchedulerMXBean bean =
        ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);

    @Override
    public int parallelism() {
      return bean.getParallelism();
    }

    @Override
    public void parallelism(int carriers) {
      bean.setParallelism(carriers);
    }

    @Override
    public long queued() {
      return bean.getQueuedVirtualThreadCount();
    }

    @Override
    public int occupied() {
      return bean.getMountedVirtualThreadCount();
    }
  }

  /**
   * Watches a scheduler.
   *
   * @param starter starts a virtual thread of it
   */
  CarrierWatchdog(Scheduler scheduler, LongSupplier clock, Consumer<Runnable> starter) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.starter = starter;
    this.lastCheckNanos = clock.getAsLong() - PERIOD_NANOS;
  }

  /** Checks whether virtual threads get carriers; several nodes of a JVM may call it. */
  public synchronized void check() {
    var now = clock.getAsLong();
    if (now - lastCheckNanos < PERIOD_NANOS / 2) {
      return;
    }
    lastCheckNanos = now;
    if (isIdle()) {
      idleChecks++;
      return;
    }
    idleChecks = 0;
    if (added > 0 && scheduler.occupied() < usual) {
      occupiedSinceNanos = now; // since one of the usual carriers has become free
    }
    if (probe == null) {
      if (scheduler.queued() > 0) {
        probe = new Probe(now, new AtomicBoolean());
        starter.accept(probe);
      } else {
        relax();
      }
    } else if (probe.hasRun.get()) {
      probe = null;
    } else if (now - Math.max(probe.startedNanos, lastAddedNanos) > PATIENCE_NANOS) {
      add(now, probe);
    }
  }

  /**
   * Returns whether no virtual thread runs. One that is queued occupies a carrier at once, so the
   * check of an idle JVM is a single question.
   */
  private boolean isIdle() {
    return probe == null && added == 0 && scheduler.occupied() == 0;
  }

  /** Returns the time until the next check is due. */
  public synchronized long nanosToNextCheck() {
    return idleChecks < IDLE_CHECKS ? PERIOD_NANOS : IDLE_PERIOD_NANOS;
  }

  private void add(long now, Probe stalled) {
    calmChecks = 0;
    if (added == 0) {
      usual = scheduler.parallelism();
      occupiedSinceNanos = stalled.startedNanos;
    }
    lastAddedNanos = now;
    if (added == MOST_ADDED) {
      return;
    }
    try {
      scheduler.parallelism(usual + added + 1);
      added++;
      starter.accept(() -> {}); // it takes a new task for the scheduler to use the new carrier
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      LOG.log(Level.DEBUG, "no carriers can be added", e);
    }
  }

  private void relax() {
    if (added == 0) {
      return;
    }
    calmChecks = scheduler.occupied() < usual ? calmChecks + 1 : 0;
    if (calmChecks >= CALM_CHECKS) {
      scheduler.parallelism(usual);
      added = 0;
      calmChecks = 0;
    }
  }

  /**
   * Returns what prevents requests from being served, if that has lasted for longer than allowed;
   * otherwise an empty text.
   */
  public synchronized String trouble(long allowedNanos) {
    var now = clock.getAsLong();
    if (probe != null && !probe.hasRun.get() && now - probe.startedNanos > allowedNanos) {
      return ("nothing has been served on virtual threads for %.0f s, because requests that compute or"
              + " decode occupy all %d carriers; 'troupe stack' shows them")
          .formatted((now - probe.startedNanos) / 1e9, scheduler.parallelism());
    }
    if (added > 0 && now - occupiedSinceNanos > allowedNanos) {
      return ("requests that compute or decode have occupied the %d usual carriers of virtual threads"
              + " for %.0f s, and others are served by %d more; 'troupe stack' shows them")
          .formatted(usual, (now - occupiedSinceNanos) / 1e9, added);
    }
    return "";
  }
}
