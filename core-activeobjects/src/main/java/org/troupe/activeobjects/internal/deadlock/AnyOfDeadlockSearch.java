package org.troupe.activeobjects.internal.deadlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.internal.object.DerivedResult;
import org.troupe.futures.FutureResult;

/**
 * Says whether a result that is made of some of others, not of all, can come before a body of this
 * JVM goes on. Used by one thread.
 */
final class AnyOfDeadlockSearch {

  /*
   * Who waits for any of some is stuck only if all of them are, each of which may wait for the very same; so it does not
   * help to follow one after the other. Instead what can come is taken away: what nobody who waits has to bring, then what
   * is made of enough of such. What is left can only come when the body goes on. Of waits of others for each other it is
   * taken that they end: the last of those is told.
   */
  private final Body to;
  private final Map<FutureResult<?>, List<FutureResult<?>>> users = new IdentityHashMap<>();
  private final Map<FutureResult<?>, Integer> missing = new IdentityHashMap<>(); // 0: it can come
  private final Deque<FutureResult<?>> coming = new ArrayDeque<>();
  private final List<FutureResult<?>> back = new ArrayList<>(); // what the body has to bring

  private AnyOfDeadlockSearch(Body to) {
    this.to = to;
  }

  /**
   * Says whether a result can only come when a body goes on.
   *
   * @param waiting who waits for the result
   * @param path gets steps from there to the body, if so
   */
  static boolean leadsBack(
      Body waiting, DerivedResult<?> first, Body to, List<DeadlockDetector.Step> path) {
    for (; ; ) {
      var knot = new AnyOfDeadlockSearch(to);
      knot.explore(first);
      knot.takeAwayWhatLeadsElsewhere();
      knot.takeAwayWhatCanCome();
      var towards = knot.towardsBody();
      if (!towards.containsKey(first)) {
        return false;
      }
      // What was found one after the other, and is there still, was there all at once.
      if (knot.missing.keySet().stream().allMatch(each -> knot.canCome(each) || each.isAwaited())) {
        addPath(waiting, first, towards, path);
        return true;
      }
    }
  }

  private boolean canCome(FutureResult<?> result) {
    return missing.get(result) == 0;
  }

  private void explore(FutureResult<?> first) {
    Deque<FutureResult<?>> open = new ArrayDeque<>();
    missing.put(first, 0);
    for (FutureResult<?> at = first; at != null; at = open.poll()) {
      var needs = needs(at);
      missing.put(at, needs.needed());
      if (needs.needed() == 0) {
        coming.add(at);
      }
      for (var each : needs.results()) {
        var behind = DeadlockDetector.endsByItself(each) ? each : DeadlockDetector.behind(each);
        users.computeIfAbsent(behind, any -> new ArrayList<>(1)).add(at);
        if (missing.putIfAbsent(behind, 0) == null) {
          open.add(behind);
        }
      }
    }
  }

  /** What a result waits for; needs none if it can come. */
  private Needs needs(FutureResult<?> result) {
    if (!result.isAwaited() || DeadlockDetector.endsByItself(result)) {
      return Needs.NONE;
    }
    if (result instanceof DerivedResult<?> pending) {
      var wants = pending.wants();
      return new Needs(wants.results(), wants.results().size() - wants.spare());
    }
    var body = DeadlockDetector.computing(result);
    if (body == to) {
      back.add(result);
      return new Needs(List.of(), 1);
    }
    var awaited = body == null ? null : body.waitingFor;
    return awaited == null ? Needs.NONE : new Needs(List.of(awaited), 1);
  }

  private record Needs(List<? extends FutureResult<?>> results, int needed) {

    static final Needs NONE = new Needs(List.of(), 0);
  }

  private void takeAwayWhatLeadsElsewhere() {
    var leading = towardsBody();
    missing.forEach(
        (each, count) -> {
          if (count > 0 && !leading.containsKey(each)) {
            coming.add(each);
          }
        });
    coming.forEach(each -> missing.put(each, 0));
  }

  private void takeAwayWhatCanCome() {
    for (FutureResult<?> each; (each = coming.poll()) != null; ) {
      for (var user : users.getOrDefault(each, List.of())) {
        var left = missing.get(user);
        if (left > 0) {
          missing.put(user, left - 1);
          if (left == 1) {
            coming.add(user);
          }
        }
      }
    }
  }

  /** For all that cannot come, and leads to the body: what is next on the way there. */
  private Map<FutureResult<?>, FutureResult<?>> towardsBody() {
    Map<FutureResult<?>, FutureResult<?>> towards = new IdentityHashMap<>();
    back.forEach(each -> towards.put(each, each));
    for (var open = new ArrayDeque<>(back); !open.isEmpty(); ) {
      var at = open.poll();
      for (var user : users.getOrDefault(at, List.of())) {
        if (!canCome(user) && towards.putIfAbsent(user, at) == null) {
          open.add(user);
        }
      }
    }
    return towards;
  }

  private static void addPath(
      Body first,
      FutureResult<?> begin,
      Map<FutureResult<?>, FutureResult<?>> towards,
      List<DeadlockDetector.Step> path) {
    var waiting = first;
    for (FutureResult<?> at = begin; ; at = towards.get(at)) {
      if (!(at instanceof DerivedResult<?>)) {
        path.add(new DeadlockDetector.Step(waiting, at));
        waiting = DeadlockDetector.computing(at);
      }
      if (towards.get(at) == at) {
        return;
      }
    }
  }
}
