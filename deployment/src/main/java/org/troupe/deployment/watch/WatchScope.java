package org.troupe.deployment.watch;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A kind of rows that a client may ask for. */
public enum WatchScope {
  NODES,
  METHODS,
  QUEUES,
  WAITS,
  COLLECTIVES,
  CYCLES,
  CLASSES,
  PAIRS,
  FAILURES,
  EVENTS,
  JOBS,
  VITALS,
  PANELS;

  /**
   * Returns the kinds that a text names, separated by commas; for an empty text all but vitals and
   * panels, which may be long.
   *
   * @throws IllegalArgumentException if there is no such kind; the message lists them
   */
  public static Set<WatchScope> named(String names) {
    if (names.isEmpty()) {
      return EnumSet.complementOf(EnumSet.of(VITALS, PANELS));
    }
    return Stream.of(names.split(",", -1))
        .map(WatchScope::one)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(WatchScope.class)));
  }

  private static WatchScope one(String name) {
    return Stream.of(values())
        .filter(each -> each.toString().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there are no rows of the kind '%s'; choose from %s"
                        .formatted(
                            name,
                            Stream.of(values())
                                .map(WatchScope::toString)
                                .collect(Collectors.joining(", ")))));
  }

  /** Returns whether a row is of this kind. */
  boolean has(WatchRecord row) {
    return this
        == switch (row) {
          case WatchRecord.Node _ -> NODES;
          case WatchRecord.Method _ -> METHODS;
          case WatchRecord.Queues _ -> QUEUES;
          case WatchRecord.Waits _ -> WAITS;
          case WatchRecord.Collective _, WatchRecord.Operation _ -> COLLECTIVES;
          case WatchRecord.Cycle _ -> CYCLES;
          case WatchRecord.Class _ -> CLASSES;
          case WatchRecord.Pair _ -> PAIRS;
          case WatchRecord.Failure _ -> FAILURES;
          case WatchRecord.Event _ -> EVENTS;
          case WatchRecord.Job _ -> JOBS;
          case WatchRecord.Vitals _ -> VITALS;
          case WatchRecord.Panel _ -> PANELS;
          case WatchRecord.Begin _, WatchRecord.Round _ -> null;
        };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
