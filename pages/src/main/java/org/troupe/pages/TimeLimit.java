package org.troupe.pages;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread that has created it when a time is over, unless it is closed before. */
final class TimeLimit implements AutoCloseable {

  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private @Nullable Thread watched = Thread.currentThread(); // null when closed; under this

  TimeLimit(Duration limit) {
    ended
        .orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (_, late) -> {
              if (late != null) {
                interrupt();
              }
            });
  }

  private synchronized void interrupt() {
    if (watched != null) {
      watched.interrupt();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      watched = null;
    }
    ended.complete(null);
  }
}
