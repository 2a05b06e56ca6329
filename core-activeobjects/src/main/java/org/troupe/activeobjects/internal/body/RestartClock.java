package org.troupe.activeobjects.internal.body;

/** The time by which failed objects are restarted; tests replace it. */
public interface RestartClock {

  /** Returns the time of a clock that only advances, in nanoseconds. */
  long nanoTime();

  /** Runs a short action after a pause. */
  void schedule(Runnable action, long pauseNanos);
}
