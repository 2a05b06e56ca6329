package org.troupe.activeobjects;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds active objects of this JVM until the test opens it, and tells the test that one has come.
 *
 * <p>An enum, so that it is the same object on both sides of a call.
 */
public enum Gate {
  ONE,
  TWO;

  private static final long SECONDS = 20;

  private volatile CountDownLatch arrived = new CountDownLatch(1);
  private volatile CountDownLatch open = new CountDownLatch(1);

  public static void closeAll() {
    for (var gate : values()) {
      gate.open.countDown(); // nobody of an earlier test stays behind
      gate.arrived = new CountDownLatch(1);
      gate.open = new CountDownLatch(1);
    }
  }

  public void pass() {
    arrived.countDown();
    try {
      if (!open.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("gate " + this + " was not opened within " + SECONDS + " s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted at gate " + this, e);
    }
  }

  public void open() {
    open.countDown();
  }

  void awaitArrival() {
    try {
      if (!arrived.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody came to gate " + this + " within " + SECONDS + " s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted before gate " + this, e);
    }
  }
}
