package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The coordinator's part in the collection of cycles over nodes. */
public class CycleSearch {

  /*
   * Design: candidates and garbage
   *
   * Candidates are a guess, which only selects the objects for a trial. A suspect is reached if one of its holders has no
   * suspect that names it, or if nothing names it or holds it: such an object is held by its own JVM, or gone soon.
   * Suspects that a reached suspect names are reached. The others are candidates; each of them is in a cycle, or named by
   * a cycle.
   *
   * Garbage is proved. An object on trial that is proved is referred to by images only. Those that no image of an unproved
   * one names, directly or by others, can never be called again, as only a call lets an object return. So they may be
   * freed one by one. The reports of the nodes need not be of one moment: references outside of the images can reach a proved
   * object only by way of one that is unproved until it returns, and an object that has returned is reported as unproved until the
   * round is over.
   */

  /**
   * Returns the objects to put on trial, by their hosts.
   *
   * @param suspects by their hosts
   */
  public final Map<Long, Set<Long>> candidates(Map<Long, List<Suspect>> suspects) {
    Map<ObjectName, List<ObjectName>> names = new HashMap<>();
    suspects.forEach(
        (host, all) ->
            all.forEach(each -> names.put(new ObjectName(host, each.number()), each.names())));
    var namers = namers(suspects);
    Set<ObjectName> reached = new HashSet<>();
    suspects.forEach(
        (host, all) ->
            all.forEach(
                each -> {
                  var name = new ObjectName(host, each.number());
                  var known = namers.getOrDefault(name, Set.of());
                  if (known.isEmpty() || !known.containsAll(each.holders())) {
                    reached.add(name);
                  }
                }));
    mark(reached, names);
    return others(names.keySet(), reached);
  }

  /** Returns, for each object, the nodes whose suspects name it. */
  private static Map<ObjectName, Set<Long>> namers(Map<Long, List<Suspect>> suspects) {
    Map<ObjectName, Set<Long>> namers = new HashMap<>();
    suspects.forEach(
        (host, all) ->
            all.forEach(
                each ->
                    each.names()
                        .forEach(
                            named ->
                                namers.computeIfAbsent(named, _ -> new HashSet<>()).add(host))));
    return namers;
  }

  /**
   * Returns the nodes that have references to suspects outside of suspects, although suspects name
   * these objects as well. The references may be unused, if their JVMs have not collected.
   *
   * @param suspects by their hosts
   */
  public final Set<Long> otherHolders(Map<Long, List<Suspect>> suspects) {
    var namers = namers(suspects);
    Set<Long> others = new TreeSet<>();
    suspects.forEach(
        (host, all) ->
            all.forEach(
                each -> {
                  var known = namers.getOrDefault(new ObjectName(host, each.number()), Set.of());
                  if (!known.isEmpty()) {
                    each.holders().stream().filter(it -> !known.contains(it)).forEach(others::add);
                  }
                }));
    return others;
  }

  /**
   * Returns the objects that are garbage, by their hosts.
   *
   * @param reports by all nodes that may have objects on trial
   */
  public final Map<Long, Set<Long>> garbage(Map<Long, TrialReport> reports) {
    Map<ObjectName, List<ObjectName>> names = new HashMap<>();
    Set<ObjectName> reached = new HashSet<>();
    reports.forEach(
        (host, report) ->
            report
                .objects()
                .forEach(
                    each -> {
                      var name = new ObjectName(host, each.number());
                      names.put(name, each.names());
                      if (!each.isProved()) {
                        reached.add(name);
                      }
                    }));
    mark(reached, names);
    return others(names.keySet(), reached);
  }

  /** Adds the objects that are reached by names. */
  void mark(Set<ObjectName> reached, Map<ObjectName, List<ObjectName>> names) {
    Deque<ObjectName> unvisited = new ArrayDeque<>(reached);
    for (ObjectName next; (next = unvisited.poll()) != null; ) {
      for (var each : names.getOrDefault(next, List.of())) {
        if (reached.add(each)) {
          unvisited.add(each);
        }
      }
    }
  }

  private static Map<Long, Set<Long>> others(Collection<ObjectName> all, Set<ObjectName> reached) {
    Map<Long, Set<Long>> others = new LinkedHashMap<>();
    for (var each : all) {
      if (!reached.contains(each)) {
        others.computeIfAbsent(each.birth(), _ -> new TreeSet<>()).add(each.number());
      }
    }
    return others;
  }
}
