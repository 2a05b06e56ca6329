package org.troupe.groups;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.CallException;

/**
 * A call failed on some members of a group. The cause is the failure of the lowest rank; the others
 * are suppressed exceptions.
 */
public final class GroupCallException extends CallException {

  private static final long serialVersionUID = 1;
  private static final int FEW = 3;

  private final TreeMap<Integer, Throwable> failures;

  private GroupCallException(String message, TreeMap<Integer, Throwable> failures) {
    super(message, failures.firstEntry().getValue());
    this.failures = failures;
    failures.tailMap(failures.firstKey(), false).values().forEach(this::addSuppressed);
  }

  /**
   * Summarises failures.
   *
   * @param call the method that was called
   * @param members the number of members called
   * @param failures the exceptions by rank; at least one
   * @param where describes the location of the member of a rank
   */
  static GroupCallException of(
      String call, int members, TreeMap<Integer, Throwable> failures, IntFunction<String> where) {
    var message = new StringBuilder(call);
    message.append(" failed on ").append(failures.size()).append(" of ").append(members);
    message.append(members == 1 ? " member:" : " members:");
    Map<String, List<Integer>> ranks = new LinkedHashMap<>(); // by text: many fail alike
    failures.forEach(
        (rank, failure) ->
            ranks.computeIfAbsent(failure.toString(), text -> new ArrayList<>()).add(rank));
    var unlisted = failures.size();
    for (var each : ranks.entrySet().stream().limit(FEW).toList()) {
      var its = each.getValue();
      unlisted -= its.size();
      message.append("\n  ");
      message.append(
          its.stream()
              .limit(FEW)
              .map(rank -> "rank " + rank + " (" + where.apply(rank) + ")")
              .collect(joining(", ")));
      if (its.size() > FEW) {
        message.append(" and ").append(its.size() - FEW).append(" more");
      }
      message.append(": ").append(each.getKey());
    }
    if (unlisted > 0) {
      message.append("\n  and ").append(unlisted).append(" more; see failures()");
    }
    return new GroupCallException(message.toString(), failures);
  }

  /** Summarises the failures among outcomes; returns {@code null} if there is none. */
  static @Nullable GroupCallException of(
      String call,
      int members,
      Stream<? extends MemberOutcome<?>> outcomes,
      IntFunction<String> where) {
    var failures = new TreeMap<Integer, Throwable>();
    outcomes.forEach(
        outcome -> {
          if (outcome instanceof MemberOutcome.Failure<?>(int rank, Throwable exception)) {
            failures.put(rank, exception);
          }
        });
    return failures.isEmpty() ? null : of(call, members, failures, where);
  }

  /** Returns the exceptions of the members that failed, by rank. */
  public SortedMap<Integer, Throwable> failures() {
    return Collections.unmodifiableSortedMap(failures);
  }
}
