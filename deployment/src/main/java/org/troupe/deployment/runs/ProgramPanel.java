package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.watch.WatchRecord;

/** A panel of a program, and what it has shown last. Thread-safe. */
final class ProgramPanel {

  /*
   * The program is asked for the items on a virtual thread, and not again before its answer was taken. A round waits for the answer
   * only until one has come too late. From then on each round takes the answer that is there, so a slow panel has delayed one round, and shows
   * what it had before. A row is sent only if it has changed, so it says that it is late, and not for how long. An answer that nobody has taken for
   * as long is forgotten: no page was open, and it would be old.
   */
  static final Duration LATE = Duration.ofSeconds(5);

  private final String name;
  private final Supplier<List<PanelItem>> items;
  private final long lateNanos;

  // guarded by this
  private @Nullable CompletableFuture<WatchRecord.Panel> asked;
  private long askedNanos;
  private long answeredNanos; // valid when the request under way is done
  private boolean isSlow;
  private WatchRecord.@Nullable Panel last;

  /** Creates a panel whose row is late after a time. */
  ProgramPanel(String name, Supplier<List<PanelItem>> items, Duration late) {
    this.name = name;
    this.items = items;
    lateNanos = late.toNanos();
  }

  /** Asks the program for the items, unless a request is under way; returns the answer. */
  synchronized CompletableFuture<WatchRecord.Panel> ask() {
    if (asked == null || isForgotten(asked)) {
      askedNanos = System.nanoTime();
      asked = CompletableFuture.supplyAsync(this::answer, Thread::startVirtualThread);
    }
    return asked;
  }

  /** Returns whether an answer has waited for long to be taken. */
  private boolean isForgotten(CompletableFuture<WatchRecord.Panel> answer) {
    return answer.isDone() && System.nanoTime() - answeredNanos > LATE.toNanos();
  }

  private WatchRecord.Panel answer() {
    var row = PanelRow.of(name, items);
    synchronized (this) {
      answeredNanos = System.nanoTime();
    }
    return row;
  }

  /**
   * Returns the row of the panel: the answer to the request under way if it comes in time, or else
   * the last one; empty if there is none yet.
   */
  Optional<WatchRecord.Panel> row(long deadline) {
    var answer = ask();
    try {
      return Optional.of(
          took(answer, GridController.awaited(answer, isSlow() ? System.nanoTime() : deadline)));
    } catch (ExecutionException e) { // PanelRow has no text of the exception
      return Optional.of(took(answer, PanelRow.failed(name, "its exception cannot be shown")));
    } catch (TimeoutException e) {
      return before();
    }
  }

  private synchronized boolean isSlow() {
    return isSlow;
  }

  private synchronized WatchRecord.Panel took(
      CompletableFuture<WatchRecord.Panel> answer, WatchRecord.Panel row) {
    if (asked == answer) {
      asked = null;
      last = row;
    }
    return row;
  }

  /** Returns the row before the request under way. */
  private synchronized Optional<WatchRecord.Panel> before() {
    isSlow = true;
    if (System.nanoTime() - askedNanos < lateNanos) {
      return Optional.ofNullable(last);
    }
    return Optional.of((last == null ? PanelRow.failed(name, "") : last).late());
  }

  /** Returns what a button of the panel does now; empty if there is no such button. */
  Optional<Runnable> action(String button) {
    for (var each : items.get()) {
      if (each instanceof PanelItem.Button its && its.name().equals(button)) {
        return Optional.of(its.action());
      }
    }
    return Optional.empty();
  }
}
