package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Futures that complete when a count, which only grows, has reached a number. Thread-safe. */
final class CountThresholds {

  /*
   * The counting thread counts first and reads the list afterwards; a thread that adds a threshold replaces the list
   * first and reads the count afterwards. Both are volatile, so at least one of the two sees the other.
   */
  private static final List<Threshold> NONE = List.of();

  private volatile List<Threshold> open = NONE; // immutable; replaced under the monitor

  private record Threshold(long count, CompletableFuture<Boolean> reached) {}

  /**
   * Returns a future that completes when the count is at least the given number.
   *
   * @param present returns the present count
   */
  CompletableFuture<Boolean> at(long count, LongSupplier present) {
    var added = new Threshold(count, new CompletableFuture<>());
    synchronized (this) {
      var all = new ArrayList<>(open);
      all.add(added);
      open = List.copyOf(all);
    }
    counted(present.getAsLong());
    return added.reached();
  }

  /** Handles a new value of the count. */
  void counted(long count) {
    if (open != NONE) {
      completeUpTo(count);
    }
  }

  private void completeUpTo(long count) {
    List<Threshold> reached;
    synchronized (this) {
      reached = open.stream().filter(each -> each.count() <= count).toList();
      open = rest(count);
    }
    reached.forEach(each -> each.reached().complete(true));
  }

  private List<Threshold> rest(long count) {
    var rest = open.stream().filter(each -> each.count() > count).toList();
    return rest.isEmpty() ? NONE : rest;
  }
}
