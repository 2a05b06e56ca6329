package org.troupe.activeobjects.internal.body;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.troupe.activeobjects.Restart;
import org.troupe.futures.FutureRuntime;

/**
 * Counts the failures of one object, and decides on pauses and on the last restart. Not
 * thread-safe.
 */
public final class RestartBudget {

  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long FORGOTTEN_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_DOUBLINGS = 7; // 100 ms * 2^7 is more than 10 s
  private static final double JITTER = 0.2;
  private static final int MOST_LISTED = 8;

  private record Failure(long nanos, String what) {}

  /**
   * The failures of an object at one moment, for another node, whose clock differs.
   *
   * @param ages how long ago each of the failures that count was, oldest first
   * @param causes what each of them was
   * @param doublings how often the pause was doubled
   */
  public record History(long[] ages, String[] causes, int doublings) {

    /** The history of an object that has not failed. */
    public static final History NONE = new History(new long[0], new String[0], 0);
  }

  private final Restart policy;
  private final Deque<Failure> recent = new ArrayDeque<>(); // those within the counted time
  private int doublings;
  private boolean hasFailed;
  private long lastNanos;

  /** Creates the budget of an object that has not failed. */
  public RestartBudget(Restart policy) {
    this(policy, History.NONE, 0);
  }

  /**
   * Creates the budget of an object that may have failed on another node.
   *
   * @param now the time of the clock by which later failures are counted
   */
  public RestartBudget(Restart policy, History known, long now) {
    this.policy = policy;
    for (var i = 0; i < known.ages.length; i++) {
      recent.addLast(new Failure(now - known.ages[i], known.causes[i]));
    }
    if (!recent.isEmpty()) {
      hasFailed = true;
      lastNanos = recent.getLast().nanos;
      doublings = known.doublings;
    }
  }

  /** Returns the failures that count at a time. */
  public History history(long now) {
    forget(now);
    return new History(
        recent.stream().mapToLong(each -> now - each.nanos).toArray(),
        recent.stream().map(Failure::what).toArray(String[]::new),
        doublings);
  }

  /**
   * Records a failure.
   *
   * @param random a number in [0, 1)
   * @return the pause before the restart, in nanoseconds; empty if the object is to be given up
   */
  public OptionalLong failed(long now, String what, double random) {
    doublings =
        !hasFailed || now - lastNanos >= FORGOTTEN_NANOS
            ? 0
            : Math.min(doublings + 1, MOST_DOUBLINGS);
    hasFailed = true;
    lastNanos = now;
    forget(now);
    recent.addLast(new Failure(now, what));
    if (recent.size() > policy.times()) {
      return OptionalLong.empty();
    }
    var pause = Math.min(FIRST_PAUSE_NANOS << doublings, LONGEST_PAUSE_NANOS);
    return OptionalLong.of((long) (pause * (1 - JITTER + 2 * JITTER * random)));
  }

  private void forget(long now) {
    var within = FutureRuntime.nanos(policy.within());
    while (!recent.isEmpty() && now - recent.getFirst().nanos >= within) {
      recent.removeFirst();
    }
  }

  /** Returns the number of failures that count at the moment. */
  public int count() {
    return recent.size();
  }

  /** Returns the failures that count at the moment, equal ones together. */
  public String causes() {
    var counts = new LinkedHashMap<String, Integer>();
    recent.forEach(each -> counts.merge(each.what, 1, Integer::sum));
    return counts.entrySet().stream()
            .limit(MOST_LISTED)
            .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " x" + each.getValue()))
            .collect(Collectors.joining("; "))
        + (counts.size() > MOST_LISTED ? " ..." : "");
  }
}
