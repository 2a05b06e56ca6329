package org.troupe.benchmarks.sides;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Makes a million that do nothing, in its JVM. */
public final class IdleMillion {

  private static final int MILLION = 1_000_000;
  private static final double MEBI = 1 << 20;

  /** What is of interest. */
  public enum Kind {
    /** Mebibytes of heap that a million hold. */
    HEAP,
    /** Millions made in a second, by one thread. */
    CREATION
  }

  /** What is made. */
  public enum Of {
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

    /** Waits until the million made last are idle. */
    void awaitIdle() {}

    /** Lets the garbage collector have it. */
    void end(Object made) {}
  }

  /** An active object as small as can be. */
  static class Idler {
    void work() {}
  }

  private static final AtomicInteger waiting = new AtomicInteger();
  private static volatile boolean over;

  private IdleMillion() {}

  static void main(String[] arguments) throws Exception {
    var kind = Kind.valueOf(arguments[0]);
    var of = Of.valueOf(arguments[1]);
    measure(kind, of); // the first million compiles
    TurnProtocol.take(() -> measure(kind, of));
  }

  private static double measure(Kind kind, Of of) {
    over = false;
    var before = usedAfterCollection();
    var all = new Object[MILLION];
    var began = System.nanoTime();
    for (var i = 0; i < MILLION; i++) {
      all[i] = of.make();
    }
    var nanos = System.nanoTime() - began;
    of.awaitIdle();
    var figure =
        switch (kind) {
          case HEAP -> (usedAfterCollection() - before) / MEBI;
          case CREATION -> MILLION * 1e3 / nanos;
        };
    over = true;
    for (var each : all) {
      of.end(each);
    }
    return figure;
  }

  private static void waitForEver() {
    waiting.incrementAndGet();
    while (!over) {
      LockSupport.park();
    }
  }

  /** The array that holds the million counts as well. */
  private static long usedAfterCollection() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
