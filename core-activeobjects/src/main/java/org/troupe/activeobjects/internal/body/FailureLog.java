package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.troupe.activeobjects.CallException;

/**
 * The log of failures that no failure handler receives. In ten seconds, it has equal ones once, at
 * most ten of a kind, and then the number of the others. Thread-safe.
 */
final class FailureLog {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int MOST_OF_A_KIND = 10;
  private static final int MOST_KINDS = 1_000;
  private static final long PERIOD_SECONDS = 10;
  private static final Kind OTHERS = new Kind("calls of other kinds", "various exceptions");

  private final Consumer<Runnable> atEndOfPeriod;
  private final Map<Kind, Count> counts = new LinkedHashMap<>(); // in this period; guarded by this

  private record Kind(String call, String cause) {}

  /** The failures of a kind. */
  private static final class Count {
    private final Set<String> logged = new HashSet<>();
    private int all;

    /** Counts a failure; returns whether it is to be logged. */
    boolean add(String text) {
      all++;
      return logged.size() < MOST_OF_A_KIND && logged.add(text);
    }

    int unlogged() {
      return all - logged.size();
    }
  }

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
    var what = call + " failed, and nobody waits for its result";
    var text = what + ": " + cause.getMessage();
    if (!isToLog(new Kind(call, cause.getClass().getName()), text)) {
      return;
    }
    if (cause instanceof CallException) { // its trace is the middleware's
      LOG.log(Level.WARNING, text);
    } else {
      LOG.log(Level.WARNING, what, cause);
    }
  }

  private boolean isToLog(Kind exact, String text) {
    boolean isFirst;
    boolean isNew;
    synchronized (this) {
      isFirst = counts.isEmpty();
      var kind = counts.size() < MOST_KINDS || counts.containsKey(exact) ? exact : OTHERS;
      isNew = counts.computeIfAbsent(kind, _ -> new Count()).add(text);
    }
    if (isFirst) {
      atEndOfPeriod.accept(this::endPeriod);
    }
    return isNew;
  }

  /** Logs how many failures the log does not have, and begins a new period. */
  void endPeriod() {
    Map<Kind, Count> ended;
    synchronized (this) {
      ended = new LinkedHashMap<>(counts);
      counts.clear();
    }
    ended.forEach(
        (kind, count) -> {
          if (count.unlogged() > 0) {
            LOG.log(
                Level.WARNING,
                "%s failed, and nobody waits for its result: %s within %d s, by %s; ActiveObjects.onFailure sets a handler, which receives each failure"
                    .formatted(kind.call(), times(count.unlogged()), PERIOD_SECONDS, kind.cause()));
          }
        });
  }

  private static String times(int number) {
    return number == 1 ? "once more" : number + " more times";
  }
}
