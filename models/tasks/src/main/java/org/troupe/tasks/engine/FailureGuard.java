package org.troupe.tasks.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Lets workers survive what others throw: nodes that end, user code, or the JVM. Thread-safe. */
final class FailureGuard {

  private static final Logger LOG = System.getLogger(Engine.class.getName());

  private volatile boolean closed;

  /** Expects failures from now on, as the engine is closed. */
  void close() {
    closed = true;
  }

  /** Makes a call; if it fails, the log has the consequence. */
  void call(String consequence, Runnable call) {
    try {
      call.run();
    } catch (Throwable failure) {
      log("After a failure " + consequence, failure);
    }
  }

  void log(String message, Throwable failure) {
    LOG.log(closed ? Level.DEBUG : Level.WARNING, message, failure);
  }
}
