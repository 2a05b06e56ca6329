package org.troupe.activeobjects.internal.membership;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * Adds carriers while all carriers of this JVM's virtual threads are occupied and other virtual
 * threads wait for one. Thread-safe; platform threads call {@link #look} periodically.
 */
public final class CarrierWatchdog {

  /*
   * Bodies serve on virtual threads, which share as many carriers as there are processors, and keep one while they
   * compute or decode. A body that is seen to compute moves to a platform thread with its next request; the first long one
   * cannot be moved, and one for each processor would stop the node for all others, whose heartbeats go on.
   *
   * So where virtual threads are queued, one more is started, as a probe. When it does not run for a while, the scheduler
   * gets one carrier more, and another as long as that does not help; the system then shares the processors among
   * all. They are taken back when fewer are occupied than there were in the beginning.
   */

  /** The watchdog of this JVM's scheduler. */
  public static final CarrierWatchdog OF_JVM =
      new CarrierWatchdog(
          new JdkScheduler(), System::nanoTime, probe -> Thread.startVirtualThread(probe));

  public static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int MOST_ADDED = 256;

  /**
   * The number of consecutive checks that must find a free carrier before added ones are removed.
   */
  private static final int CALM_LOOKS = 10;

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final Scheduler scheduler;
  private final LongSupplier clock;
  private final Consumer<Runnable> starter;

  // Guarded by this
  private Probe probe; // or null
  private long lastLookNanos;
  private long lastAddedNanos;
  private long occupiedSinceNanos; // while carriers are added
  private int usual; // the original parallelism, while carriers are added
  private int added;
  private int calmLooks;

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
    this.lastLookNanos = clock.getAsLong() - PERIOD_NANOS;
  }

  /** Checks whether virtual threads get carriers; several nodes of a JVM may call it. */
  public synchronized void look() {
    var now = clock.getAsLong();
    if (now - lastLookNanos < PERIOD_NANOS / 2) {
      return;
    }
    lastLookNanos = now;
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
      add(now);
    }
  }

  private void add(long now) {
    calmLooks = 0;
    if (added == 0) {
      usual = scheduler.parallelism();
      occupiedSinceNanos = probe.startedNanos;
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
    calmLooks = scheduler.occupied() < usual ? calmLooks + 1 : 0;
    if (calmLooks >= CALM_LOOKS) {
      scheduler.parallelism(usual);
      added = 0;
      calmLooks = 0;
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
