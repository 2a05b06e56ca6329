package org.troupe.activeobjects.internal.deadlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.futures.FutureResult;

/**
 * Decides whether a result that needs some of several others, not all, can complete before a given
 * body of this JVM resumes. Used by one thread.
 */
final class AnyOfDeadlockSearch {

  /*
   * Design: graph reduction for waits in the OR model
   *
   * A wait for any k of n results is stuck only if more than n - k of them are, and each of those may wait for
   * the same others. A cycle is therefore not sufficient for a deadlock, and following one edge at a time does
   * not decide the question. The search reduces the wait-for graph instead [1]: it removes the results that do
   * not depend on the body, then repeatedly those with enough completed dependencies. The remaining results
   * can complete only after the body resumes.
   *
   * Cycles that do not contain this body are assumed to end: the last body that joins such a cycle detects it
   * by a search of its own.
   *
   * The graph changes while it is explored. A deadlock is reported only if every result of the remainder is
   * still awaited at the end; otherwise the search starts again.
   *
   * [1] R. C. Holt, Some deadlock properties of computer systems, ACM Computing Surveys 4(3), 1972.
   */
  private final Body to;
  private final Map<FutureResult<?>, List<FutureResult<?>>> users = new IdentityHashMap<>();
  private final Map<FutureResult<?>, Integer> missing =
      new IdentityHashMap<>(); // 0: the result can complete
  private final Deque<FutureResult<?>> completable = new ArrayDeque<>();
  private final List<FutureResult<?>> own = new ArrayList<>(); // results that the body must compute

  private AnyOfDeadlockSearch(Body to) {
    this.to = to;
  }

  /**
   * Returns whether a result can complete only after a body resumes.
   *
   * @param waiting the body that waits for the result
   * @param path receives the steps from the result to the body, if there are any
   */
  static boolean leadsBack(
      @Nullable Body waiting, DerivedResult<?> first, Body to, List<DeadlockDetector.Step> path) {
    for (; ; ) {
      var search = new AnyOfDeadlockSearch(to);
      search.explore(first);
      search.removeUnrelated();
      search.removeCompletable();
      var towards = search.towardsBody();
      if (!towards.containsKey(first)) {
        return false;
      }
      // A remainder that was collected step by step and still exists has existed as a whole.
      if (search.missing.keySet().stream()
          .allMatch(each -> search.canComplete(each) || each.isAwaited())) {
        addPath(waiting, first, towards, path);
        return true;
      }
    }
  }

  private boolean canComplete(FutureResult<?> result) {
    return missing(result) == 0;
  }

  /** Returns how many further completions a result of the explored graph needs. */
  private int missing(FutureResult<?> result) {
    return Objects.requireNonNull(missing.get(result));
  }

  private void explore(FutureResult<?> first) {
    Deque<FutureResult<?>> open = new ArrayDeque<>();
    missing.put(first, 0);
    for (FutureResult<?> at = first; at != null; at = open.poll()) {
      var needs = needs(at);
      missing.put(at, needs.needed());
      if (needs.needed() == 0) {
        completable.add(at);
      }
      for (var each : needs.results()) {
        var behind = DeadlockDetector.isLimited(each) ? each : DeadlockDetector.behind(each);
        users.computeIfAbsent(behind, any -> new ArrayList<>(1)).add(at);
        if (missing.putIfAbsent(behind, 0) == null) {
          open.add(behind);
        }
      }
    }
  }

  /** Returns what a result waits for; it needs nothing if it can complete. */
  private Needs needs(FutureResult<?> result) {
    if (!result.isAwaited() || DeadlockDetector.isLimited(result)) {
      return Needs.NONE;
    }
    if (result instanceof DerivedResult<?> pending) {
      var wants = pending.wants();
      return new Needs(wants.results(), wants.results().size() - wants.spare());
    }
    var body = DeadlockDetector.computing(result);
    if (body == to) {
      own.add(result);
      return new Needs(List.of(), 1);
    }
    var awaited = body == null ? null : body.waitingFor;
    return awaited == null ? Needs.NONE : new Needs(List.of(awaited), 1);
  }

  private record Needs(List<? extends FutureResult<?>> results, int needed) {

    static final Needs NONE = new Needs(List.of(), 0);
  }

  private void removeUnrelated() {
    var leading = towardsBody();
    missing.forEach(
        (each, count) -> {
          if (count > 0 && !leading.containsKey(each)) {
            completable.add(each);
          }
        });
    completable.forEach(each -> missing.put(each, 0));
  }

  private void removeCompletable() {
    for (FutureResult<?> each; (each = completable.poll()) != null; ) {
      for (var user : users.getOrDefault(each, List.of())) {
        var left = missing(user);
        if (left > 0) {
          missing.put(user, left - 1);
          if (left == 1) {
            completable.add(user);
          }
        }
      }
    }
  }

  /** Maps each result that cannot complete to the next one on its path to the body. */
  private Map<FutureResult<?>, FutureResult<?>> towardsBody() {
    Map<FutureResult<?>, FutureResult<?>> towards = new IdentityHashMap<>();
    own.forEach(each -> towards.put(each, each));
    for (var open = new ArrayDeque<>(own); !open.isEmpty(); ) {
      var at = open.poll();
      for (var user : users.getOrDefault(at, List.of())) {
        if (!canComplete(user) && towards.putIfAbsent(user, at) == null) {
          open.add(user);
        }
      }
    }
    return towards;
  }

  private static void addPath(
      @Nullable Body first,
      FutureResult<?> begin,
      Map<FutureResult<?>, FutureResult<?>> towards,
      List<DeadlockDetector.Step> path) {
    var waiting = first;
    for (FutureResult<?> at = begin; ; ) {
      if (!(at instanceof DerivedResult<?>)) {
        path.add(new DeadlockDetector.Step(waiting, at));
        waiting = DeadlockDetector.computing(at);
      }
      var next = Objects.requireNonNull(towards.get(at), "each result has a next one");
      if (next == at) {
        return;
      }
      at = next;
    }
  }
}
