package org.troupe.activeobjects.internal.body;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The threads that report failures, as failure handlers and decoders run code of users. */
final class ReportThreads {

  // guarded by this
  private int running;
  private @Nullable CompletableFuture<Boolean> ended; // null if nothing waits for it

  /** Runs a report on a thread of its own; never waits. */
  void start(Runnable report) {
    synchronized (this) {
      running++;
    }
    Thread.startVirtualThread(
        () -> {
          try {
            report.run();
          } finally {
            ended();
          }
        });
  }

  private void ended() {
    CompletableFuture<Boolean> last;
    synchronized (this) {
      running--;
      if (running > 0 || ended == null) {
        return;
      }
      last = ended;
      ended = null;
    }
    last.complete(true);
  }

  /** Returns a future that completes when no report is running. */
  synchronized CompletableFuture<Boolean> allEnded() {
    if (running == 0) {
      return CompletableFuture.completedFuture(true);
    }
    var all = ended;
    if (all == null) {
      all = new CompletableFuture<>();
      ended = all;
    }
    return all.copy();
  }
}
