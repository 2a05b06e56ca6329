package org.troupe.deployment.kubernetes;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The input of a process, which is killed if it takes no part of its input for some time, or does
 * not end so long after it. A slow process may take any time in all.
 */
final class WatchedInput extends FilterOutputStream {

  /** Written at once, so that a slow connection makes progress between two parts. */
  private static final int PART = 8192;

  private final Process process;
  private final Duration limit;
  private volatile long lastNanos = System.nanoTime(); // of the last part that was taken
  private volatile boolean isStalled;

  /** Begins to watch a process, until it ends. */
  WatchedInput(Process process, Duration limit) {
    super(process.getOutputStream());
    this.process = process;
    this.limit = limit;
    // A platform thread: reads and writes of pipes occupy the carriers of virtual ones.
    Thread.ofPlatform().daemon().name("troupe-input-watch").start(this::watch);
  }

  private void watch() {
    try {
      while (true) {
        var left = lastNanos + limit.toNanos() - System.nanoTime();
        if (left <= 0) {
          isStalled = process.isAlive();
          process.destroyForcibly();
          return;
        }
        if (process.waitFor(left, TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // only this class could interrupt it, and does not
    }
  }

  /** Returns whether the process was killed because it made no progress. */
  boolean isStalled() {
    return isStalled;
  }

  @Override
  public void write(int octet) throws IOException {
    out.write(octet);
    lastNanos = System.nanoTime();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (var done = 0; done < length; done += PART) {
      out.write(bytes, offset + done, Math.min(PART, length - done));
      lastNanos = System.nanoTime();
    }
  }
}
