package org.troupe.activeobjects.internal.keeping;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Departure;

/** Waits for safe points of objects. */
final class SafePoints {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long CHECK_MILLIS = 10;

  private SafePoints() {}

  /**
   * Waits for the result of a departure's action at the safe point.
   *
   * @throws IllegalStateException if the object has none within the patience; it then serves again
   * @throws ExecutionException if the action has failed
   */
  static <V> V await(Body body, Departure departure, CompletableFuture<V> made)
      throws ExecutionException, InterruptedException {
    var began = System.nanoTime();
    for (; ; ) {
      try {
        return made.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (body.hasEnded()) {
          throw new IllegalStateException(body + " has ended");
        }
        if (System.nanoTime() - began > PATIENCE.toNanos()) {
          var delay = body.departures().delay(); // before the requests that are held begin
          if (departure.giveUp()) {
            throw new IllegalStateException(
                "no image of %s could be made: %s after %s; let them end"
                    .formatted(body, delay, PATIENCE));
          }
        }
        departure.check();
      }
    }
  }
}
