package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.troupe.activeobjects.CallException;

/**
 * The log of failures that no failure handler receives: ten of a kind in ten seconds, then their
 * number. Thread-safe.
 */
final class FailureLog {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int MOST_OF_A_KIND = 10;
  private static final int MOST_KINDS = 1_000;
  private static final long PERIOD_SECONDS = 10;
  private static final Kind OTHERS = new Kind("calls of other kinds", "various exceptions");

  private final Consumer<Runnable> atEndOfPeriod;
  private final Map<Kind, Integer> counts =
      new LinkedHashMap<>(); // in this period; guarded by this

  private record Kind(String call, String cause) {}

  FailureLog() {
    this(
        CompletableFuture.delayedExecutor(
                PERIOD_SECONDS, TimeUnit.SECONDS, Thread::startVirtualThread)
            ::execute);
  }

  /** Creates a log for a test, which ends the periods. */
  FailureLog(Consumer<Runnable> atEndOfPeriod) {
    this.atEndOfPeriod = atEndOfPeriod;
  }

  void log(String call, Throwable cause) {
    if (!isToLog(new Kind(call, cause.getClass().getName()))) {
      return;
    }
    var what = call + " failed, and nobody waits for its result";
    if (cause instanceof CallException) { // its trace is the middleware's
      LOG.log(Level.WARNING, what + ": " + cause.getMessage());
    } else {
      LOG.log(Level.WARNING, what, cause);
    }
  }

  private boolean isToLog(Kind exact) {
    boolean isFirst;
    int count;
    synchronized (this) {
      isFirst = counts.isEmpty();
      var kind = counts.size() < MOST_KINDS || counts.containsKey(exact) ? exact : OTHERS;
      count = counts.merge(kind, 1, Integer::sum);
    }
    if (isFirst) {
      atEndOfPeriod.accept(this::endPeriod);
    }
    return count <= MOST_OF_A_KIND;
  }

  private void endPeriod() {
    Map<Kind, Integer> ended;
    synchronized (this) {
      ended = new LinkedHashMap<>(counts);
      counts.clear();
    }
    ended.forEach(
        (kind, count) -> {
          if (count > MOST_OF_A_KIND) {
            LOG.log(
                Level.WARNING,
                "%s failed, and nobody waits for its result: %d more times in %d s, by %s; ActiveObjects.onFailure sets a handler, which receives each failure"
                    .formatted(kind.call(), count - MOST_OF_A_KIND, PERIOD_SECONDS, kind.cause()));
          }
        });
  }
}
