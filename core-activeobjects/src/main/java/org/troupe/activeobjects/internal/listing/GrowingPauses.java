package org.troupe.activeobjects.internal.listing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Things that are tried again after pauses, each of which is twice as long as the one before. The
 * time is the number of calls of {@link #due}, which costs nothing for things that are not due.
 * Thread-safe.
 */
public final class GrowingPauses<T> {

  private static final int LONGEST = 1_024;
  private static final int MOST = 1_000; // at once

  private final Map<T, Attempt> attempts = new HashMap<>();
  private final TreeMap<Long, Set<T>> schedule = new TreeMap<>();
  private long now;

  private record Attempt(long due, int pause) {}

  /** Tries something soon, also if it was tried before. */
  public synchronized void add(T each) {
    schedule(each, new Attempt(now + 1, 1));
  }

  /** Tries something no more. */
  public synchronized void remove(T each) {
    var known = attempts.remove(each);
    if (known != null) {
      schedule.computeIfPresent(
          known.due,
          (_, same) -> {
            same.remove(each);
            return same.isEmpty() ? null : same;
          });
    }
  }

  /** Removes all things that were added; none of them is tried again. */
  public synchronized void clear() {
    attempts.clear();
    schedule.clear();
  }

  /** Returns what is to be tried now. */
  public synchronized List<T> due() {
    now++;
    List<T> due = new ArrayList<>();
    while (due.size() < MOST && !schedule.isEmpty() && schedule.firstKey() <= now) {
      var each = schedule.firstEntry().getValue().iterator().next();
      var pause = Objects.requireNonNull(attempts.get(each), "a scheduled attempt").pause;
      schedule(each, new Attempt(now + pause, Math.min(2 * pause, LONGEST)));
      due.add(each);
    }
    return due;
  }

  private void schedule(T each, Attempt attempt) {
    remove(each);
    attempts.put(each, attempt);
    schedule.computeIfAbsent(attempt.due, _ -> new LinkedHashSet<>()).add(each);
  }
}
