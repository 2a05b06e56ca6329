package org.troupe.activeobjects.internal.keeping;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Holds back the output of all logged objects of a node. Thread-safe. */
final class OutputGate {

  private volatile @Nullable CompletableFuture<Void> held; // null: output may leave

  /** Lets no output leave from now on that depends on input after this. */
  synchronized void hold() {
    if (held == null) {
      held = new CompletableFuture<>();
    }
  }

  /** Lets all output leave. */
  synchronized void release() {
    var its = held;
    held = null;
    if (its != null) {
      its.complete(null);
    }
  }

  boolean isHeld() {
    return held != null;
  }

  /** Waits until output may leave. */
  void await() {
    var its = held;
    if (its != null) {
      its.join();
    }
  }
}
