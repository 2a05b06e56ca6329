package org.troupe.benchmarks.sides;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Creates a million idle objects or threads in its JVM. */
public final class IdleMillion {

  private static final int MILLION = 1_000_000;
  private static final double MEBI = 1 << 20;
  private static final int LIMIT_SECONDS = 30;

  /** The measured quantity. */
  public enum Quantity {
    /** Mebibytes of heap of the million. */
    HEAP,
    /** Millions created per second by one thread. */
    CREATION
  }

  /** The created objects or threads. */
  public enum Item {
    ACTIVE_OBJECTS {
      @Override
      Object make(ParkedThreads threads) {
        return ActiveObjects.here().create(Idler.class);
      }
    },
    VIRTUAL_THREADS {
      @Override
      Object make(ParkedThreads threads) {
        return threads.start();
      }

      @Override
      void awaitIdle(ParkedThreads threads) {
        await(threads.parked, "parked");
      }

      @Override
      void end(ParkedThreads threads, Object[] made) {
        threads.isOver = true;
        for (var each : made) {
          LockSupport.unpark((Thread) each);
        }
        await(threads.ended, "ended");
      }
    };

    abstract Object make(ParkedThreads threads);

    /** Waits until the million is idle. */
    void awaitIdle(ParkedThreads threads) {}

    /** Makes the million available to the garbage collector. */
    void end(ParkedThreads threads, Object[] made) {}
  }

  /** The smallest active object. */
  static class Idler {
    void work() {}
  }

  /** The virtual threads of one measurement, which do not outlive it. */
  private static final class ParkedThreads {
    private final AtomicInteger parked = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile boolean isOver;

    Thread start() {
      return Thread.startVirtualThread(
          () -> {
            parked.incrementAndGet();
            while (!isOver) {
              LockSupport.park();
            }
            ended.incrementAndGet();
          });
    }
  }

  private IdleMillion() {}

  static void main(String[] arguments) throws Exception {
    var quantity = Quantity.valueOf(arguments[0]);
    var item = Item.valueOf(arguments[1]);
    measure(quantity, item); // warm-up
    TurnProtocol.serve(() -> measure(quantity, item));
  }

  private static double measure(Quantity quantity, Item item) {
    var threads = new ParkedThreads();
    var before = usedAfterCollection();
    var all = new Object[MILLION];
    var began = System.nanoTime();
    for (var i = 0; i < MILLION; i++) {
      all[i] = item.make(threads);
    }
    var nanos = System.nanoTime() - began;
    item.awaitIdle(threads);
    var figure =
        switch (quantity) {
          case HEAP -> (usedAfterCollection() - before) / MEBI;
          case CREATION -> MILLION * 1e3 / nanos;
        };
    item.end(threads, all);
    return figure;
  }

  /** Waits until a million threads are counted, but not for ever if the heap is too small. */
  private static void await(AtomicInteger count, String what) {
    var limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (count.get() < MILLION) {
      if (System.nanoTime() - limit > 0) {
        throw new IllegalStateException(
            "after %d s only %d of %d virtual threads have %s; give the JVM a larger heap (-Xmx)"
                .formatted(LIMIT_SECONDS, count.get(), MILLION, what));
      }
      Thread.yield();
    }
  }

  /** Returns the bytes of the heap in use, which include the array of the million. */
  private static long usedAfterCollection() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
