package org.troupe.replicas;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes that a member knows by their numbers, and the writes whose numbers it waits for.
 * Touched under the lock of the member's {@link WriteOrder}.
 */
final class ChangeLog {

  private final TreeMap<Long, Change> changes = new TreeMap<>(); // that are not stable
  private final Map<Change.Id, Change.Write> proposals = new HashMap<>(); // not among the changes
  private final Map<Change.Id, Long> awaited =
      new HashMap<>(); // numbers of changes without arguments

  /** Returns a change; {@code null} if it is not known, or stable. */
  @Nullable Change get(long number) {
    return changes.get(number);
  }

  /** Returns a copy of the changes that are not stable, by their numbers. */
  SortedMap<Long, Change> copy() {
    return new TreeMap<>(changes);
  }

  boolean endsWithClose() {
    return !changes.isEmpty() && changes.lastEntry().getValue() instanceof Change.Close;
  }

  /** Adds a change; the arguments of a write may be known, or come later. */
  void add(long number, Change change) {
    if (change instanceof Change.Id id) {
      var write = proposals.remove(id);
      changes.put(number, write == null ? id : write);
      if (write == null) {
        awaited.put(id, number);
      }
    } else {
      changes.put(number, change);
    }
  }

  /** Adds the arguments of a write whose number may come later. */
  void propose(Change.Write write) {
    proposals.put(write.id(), write);
  }

  /** Adds the arguments of a write; returns whether it has a number. */
  boolean complete(Change.Write write) {
    var number = awaited.remove(write.id());
    if (number != null) {
      changes.put(number, write);
    }
    return number != null;
  }

  /** Lets late arguments change nothing, since the changes are about to be reported. */
  void freeze() {
    proposals.clear();
    awaited.clear();
  }

  /** Replaces the changes by those at the beginning of a view. */
  void restart(long first, List<Change> known) {
    changes.clear();
    var number = first;
    for (var change : known) {
      changes.put(number++, change);
    }
  }

  /** Removes the changes that all members have applied. */
  void forget(long upTo) {
    changes.headMap(upTo, true).clear();
  }

  /**
   * Joins the reports of a view's members: returns the changes from a number on that any of them
   * has, in the order of their numbers, with {@code Nothing} for those that none has.
   */
  static List<Change> union(Collection<OrderMessage.Report> reports, long first) {
    var newest =
        reports.stream()
            .map(OrderMessage.Report::installed)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    var union = new TreeMap<Long, Change>();
    var end = 0L;
    for (var report : reports) {
      end = Math.max(end, report.applied());
      if (report.installed().equals(newest)) {
        report.log().forEach((number, change) -> union.merge(number, change, ChangeLog::whole));
      }
    }
    end = union.isEmpty() ? end : Math.max(end, union.lastKey());
    List<Change> known = new ArrayList<>();
    for (var number = first; number <= end; number++) {
      var change = union.get(number);
      known.add(change == null || change instanceof Change.Id ? new Change.Nothing() : change);
    }
    return known;
  }

  private static Change whole(Change one, Change other) {
    return one instanceof Change.Id ? other : one;
  }
}
