package org.troupe.activeobjects;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Drives the garbage collector until something has happened. */
final class Collected {

  private Collected() {}

  static boolean eventually(BooleanSupplier happened) throws InterruptedException {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!happened.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      System.gc();
      TimeUnit.MILLISECONDS.sleep(5); // lets the collector's own threads come to their work
    }
    return true;
  }
}
