package org.troupe.benchmarks.sides;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Calls an active object on the node of a {@link TroupeServer} that sleeps between calls. */
public final class SleepingClient {

  /** Microseconds of the first call to an object that sleeps. */
  public static final String WAKE = "wake";

  /** Microseconds of a call to an object that never sleeps. */
  public static final String CALL = "call";

  private static final Duration IDLE = Duration.ofMillis(50);
  private static final int WAKES = 10;
  private static final int POLL_MILLIS = 5;
  private static final int STORING_MILLIS = 20; // its image, which is small
  private static final long LIMIT_SECONDS = 30;

  /** Counts how often it falls asleep. */
  static class Sleeper implements LifeCycle {
    static final AtomicInteger asleep = new AtomicInteger();

    private int calls;

    @Override
    public void leaving() {
      asleep.incrementAndGet();
    }

    int call() {
      return ++calls;
    }
  }

  /** Observes sleepers of its JVM. */
  static class Observer {
    int asleep() {
      return Sleeper.asleep.get();
    }
  }

  private SleepingClient() {}

  static void main(String[] arguments) throws Exception {
    var store = Store.directory(TerminationCleanup.folder().resolve("store"));
    var kept = Options.STANDARD.withKeep(Keep.state(store));
    try (var grid = ServerGrid.of(1)) {
      var node = grid.nodes().getFirst();
      var awake = ActiveObjects.on(node).with(kept).create(Sleeper.class);
      var sleeper = ActiveObjects.on(node).with(kept.withIdle(IDLE)).create(Sleeper.class);
      var observer = ActiveObjects.on(node).create(Observer.class);
      TurnProtocol.serve(
          load ->
              switch (load) {
                case WAKE -> _ -> wakes(sleeper, observer);
                case CALL ->
                    millis ->
                        TurnProtocol.microsEach(
                            times -> {
                              for (var i = 0; i < times; i++) {
                                awake.call();
                              }
                            },
                            millis);
                default -> throw new IllegalArgumentException("there is no load '" + load + "'");
              },
          Integer.parseInt(arguments[0]));
    }
  }

  private static double wakes(Sleeper sleeper, Observer observer) throws InterruptedException {
    var nanos = 0L;
    for (var i = 0; i < WAKES; i++) {
      var before = observer.asleep();
      sleeper.call();
      var limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      while (observer.asleep() == before) {
        if (System.nanoTime() > limit) {
          throw new IllegalStateException(
              "the object does not sleep after " + LIMIT_SECONDS + " s");
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      TimeUnit.MILLISECONDS.sleep(STORING_MILLIS);
      var began = System.nanoTime();
      sleeper.call();
      nanos += System.nanoTime() - began;
    }
    return nanos / 1e3 / WAKES;
  }
}
