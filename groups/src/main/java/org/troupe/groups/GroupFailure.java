package org.troupe.groups;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A call failed on some members of a group. Its cause is the failure of the lowest rank, the others
 * are suppressed.
 */
public final class GroupFailure extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int FEW = 3;

  private final TreeMap<Integer, Throwable> failures;

  private GroupFailure(String message, TreeMap<Integer, Throwable> failures) {
    super(message, failures.firstEntry().getValue());
    this.failures = failures;
    failures.tailMap(failures.firstKey(), false).values().forEach(this::addSuppressed);
  }

  /**
   * Sums failures up.
   *
   * @param call what was called
   * @param members how many members were called
   * @param failures what they threw, by rank; at least one
   * @param places where the member of a rank is
   */
  static GroupFailure of(
      String call, int members, TreeMap<Integer, Throwable> failures, IntFunction<String> places) {
    var message = new StringBuilder(call);
    message.append(" failed on ").append(failures.size()).append(" of ").append(members);
    message.append(members == 1 ? " member:" : " members:");
    var told = 0;
    for (var each : failures.entrySet()) {
      if (told++ == FEW) {
        message.append("\n  and ").append(failures.size() - FEW).append(" more; see failures()");
        break;
      }
      message.append("\n  rank ").append(each.getKey());
      message.append(" (").append(places.apply(each.getKey())).append("): ");
      message.append(each.getValue());
    }
    return new GroupFailure(message.toString(), failures);
  }

  /** The failures among outcomes; {@code null} if there is none. */
  static GroupFailure of(
      String call, int members, Stream<? extends Outcome<?>> outcomes, IntFunction<String> places) {
    var failures = new TreeMap<Integer, Throwable>();
    outcomes.forEach(
        outcome -> {
          switch (outcome) {
            case Outcome.Value<?> value -> {
              // What was wanted.
            }
            case Outcome.Failed<?>(int rank, Throwable exception) -> failures.put(rank, exception);
            case Outcome.Lost<?>(int rank, var exception) -> failures.put(rank, exception);
          }
        });
    return failures.isEmpty() ? null : of(call, members, failures, places);
  }

  /** Returns what each member threw that failed, by rank. */
  public SortedMap<Integer, Throwable> failures() {
    return Collections.unmodifiableSortedMap(failures);
  }
}
