package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.watch.WatchRecord;

/** The panels that a program shows on the page of its run. Thread-safe. */
public final class ProgramPanels {

  /*
   * The program is asked for the items of a panel on a virtual thread, and not again before its answer was taken. So a panel that
   * is slow keeps its last row for some rounds. It delays the first of them by PATIENCE at most, and no other.
   */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private static final int MOST_PANELS = 20;
  private static final int LONGEST_NAME = 60; // characters

  private final Map<String, Supplier<List<PanelItem>>> panels = new LinkedHashMap<>();
  private final Map<String, Request> asked = new LinkedHashMap<>();

  /** A request for the row of a panel; late if a round has awaited it in vain. */
  private record Request(CompletableFuture<WatchRecord.Panel> answer, boolean isLate) {}

  /**
   * Adds a panel, or replaces the one of that name.
   *
   * @throws IllegalArgumentException if the name is not possible
   * @throws IllegalStateException if there are too many panels
   */
  public synchronized void add(String name, Supplier<List<PanelItem>> items) {
    if (name.isEmpty()
        || name.length() > LONGEST_NAME
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "'%s' is no name of a panel; give 1 to 60 characters on one line".formatted(name));
    }
    if (panels.size() == MOST_PANELS && !panels.containsKey(name)) {
      throw new IllegalStateException(
          "the panel '%s' is one too many: a program has at most %d; show more items in one"
              .formatted(name, MOST_PANELS));
    }
    panels.put(name, items);
    asked.remove(name); // the one before may never answer
  }

  /** Asks the program for all panels; returns the rows of those that answer in time. */
  List<WatchRecord.Panel> rows() {
    var began = System.nanoTime();
    List<WatchRecord.Panel> rows = new ArrayList<>();
    ask()
        .forEach(
            (name, request) -> {
              try {
                var deadline = request.isLate() ? began : began + PATIENCE.toNanos();
                rows.add(GridController.awaited(request.answer(), deadline));
              } catch (ExecutionException e) { // PanelRow has no text of the exception
                rows.add(PanelRow.failed(name, "its exception cannot be shown"));
              } catch (TimeoutException e) {
                delay(name, request);
                return; // a later round takes the answer
              }
              forget(name, request);
            });
    return rows;
  }

  private synchronized Map<String, Request> ask() {
    panels.forEach(
        (name, items) ->
            asked.computeIfAbsent(
                name,
                _ ->
                    new Request(
                        CompletableFuture.supplyAsync(
                            () -> PanelRow.of(name, items), Thread::startVirtualThread),
                        false)));
    return new LinkedHashMap<>(asked);
  }

  /** Notes that a request is late, unless its panel was replaced. */
  private synchronized void delay(String name, Request request) {
    asked.replace(name, request, new Request(request.answer(), true));
  }

  /** Forgets a request that was answered, unless its panel was replaced. */
  private synchronized void forget(String name, Request request) {
    asked.remove(name, request);
  }

  /**
   * Does what a button of a panel says, and returns when that is done.
   *
   * @throws IllegalArgumentException if the panel has no such button now, or its action fails
   */
  void press(String panel, String button) {
    var items = panel(panel);
    if (items == null) {
      throw new IllegalArgumentException("the program has no panel '%s'".formatted(panel));
    }
    try {
      var action = action(items.get(), button);
      if (action.isPresent()) {
        action.get().run();
        return;
      }
    } catch (RuntimeException | Error e) { // of the program
      throw new IllegalArgumentException(
          "'%s' of the panel '%s' has failed: %s".formatted(button, panel, e), e);
    }
    throw new IllegalArgumentException(
        "the panel '%s' has no button '%s' now".formatted(panel, button));
  }

  private synchronized @Nullable Supplier<List<PanelItem>> panel(String name) {
    return panels.get(name);
  }

  private static Optional<Runnable> action(List<PanelItem> items, String button) {
    for (var each : items) {
      if (each instanceof PanelItem.Button its && its.name().equals(button)) {
        return Optional.of(its.action());
      }
    }
    return Optional.empty();
  }
}
