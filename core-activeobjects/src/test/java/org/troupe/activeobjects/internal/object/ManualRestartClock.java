package org.troupe.activeobjects.internal.object;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.activeobjects.internal.body.RestartClock;

/** A clock whose pauses end when a test says so. */
public final class ManualRestartClock implements RestartClock {

  private record Pause(Runnable action, long nanos) {}

  private final LinkedBlockingQueue<Pause> pauses = new LinkedBlockingQueue<>();
  private final AtomicLong now = new AtomicLong();

  @Override
  public long nanoTime() {
    return now.get();
  }

  @Override
  public void schedule(Runnable action, long pauseNanos) {
    pauses.add(new Pause(action, pauseNanos));
  }

  /** Lets time pass, in which no pause ends. */
  void pass(long millis) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Waits until a pause has begun, and ends it; returns its length in milliseconds. */
  public long endPause() {
    var pause = next();
    now.addAndGet(pause.nanos);
    pause.action.run();
    return TimeUnit.NANOSECONDS.toMillis(pause.nanos);
  }

  /** Waits until a pause has begun, and returns the action that ends it. */
  public Runnable awaitPause() {
    return next().action;
  }

  private Pause next() {
    try {
      var pause = pauses.poll(20, TimeUnit.SECONDS);
      if (pause == null) {
        throw new AssertionError("no restart was scheduled within 20 s");
      }
      return pause;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for a pause", e);
    }
  }

  public boolean isPausing() {
    return !pauses.isEmpty();
  }
}
