package org.troupe.benchmarks.sides;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Creates a million idle objects or threads in its JVM. */
public final class IdleMillion {

  private static final int MILLION = 1_000_000;
  private static final double MEBI = 1 << 20;

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
      Object make() {
        return ActiveObjects.here().create(Idler.class);
      }
    },
    VIRTUAL_THREADS {
      @Override
      Object make() {
        return Thread.startVirtualThread(IdleMillion::waitForEver);
      }

      @Override
      void awaitIdle() {
        while (waiting.get() < MILLION) {
          Thread.yield();
        }
        waiting.set(0);
      }

      @Override
      void end(Object made) {
        LockSupport.unpark((Thread) made);
      }
    };

    abstract Object make();

    /** Waits until the last million is idle. */
    void awaitIdle() {}

    /** Makes an object or thread available to the garbage collector. */
    void end(Object made) {}
  }

  /** The smallest active object. */
  static class Idler {
    void work() {}
  }

  private static final AtomicInteger waiting = new AtomicInteger();
  private static volatile boolean over;

  private IdleMillion() {}

  static void main(String[] arguments) throws Exception {
    var quantity = Quantity.valueOf(arguments[0]);
    var item = Item.valueOf(arguments[1]);
    measure(quantity, item); // warm-up
    TurnProtocol.serve(() -> measure(quantity, item));
  }

  private static double measure(Quantity quantity, Item item) {
    over = false;
    var before = usedAfterCollection();
    var all = new Object[MILLION];
    var began = System.nanoTime();
    for (var i = 0; i < MILLION; i++) {
      all[i] = item.make();
    }
    var nanos = System.nanoTime() - began;
    item.awaitIdle();
    var figure =
        switch (quantity) {
          case HEAP -> (usedAfterCollection() - before) / MEBI;
          case CREATION -> MILLION * 1e3 / nanos;
        };
    over = true;
    for (var each : all) {
      item.end(each);
    }
    return figure;
  }

  private static void waitForEver() {
    waiting.incrementAndGet();
    while (!over) {
      LockSupport.park();
    }
  }

  /** Returns the bytes of the heap in use, which include the array of the million. */
  private static long usedAfterCollection() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
