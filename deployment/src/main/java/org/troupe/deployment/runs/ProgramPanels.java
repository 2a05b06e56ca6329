package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.watch.WatchRecord;

/** The panels that a program shows on the page of its run. Thread-safe. */
public final class ProgramPanels {

  /*
   * The program is asked for the items of a panel on a virtual thread, and not again before its answer was taken. So a panel that
   * is slow keeps its last row for some rounds, and delays each of them by PATIENCE at most.
   */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private static final int MOST_PANELS = 20;
  private static final int MOST_ITEMS = 200; // of a panel
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,60}");

  private final Map<String, Supplier<List<PanelItem>>> panels = new LinkedHashMap<>();
  private final Map<String, CompletableFuture<List<PanelItem>>> asked = new LinkedHashMap<>();

  /**
   * Adds a panel, or replaces the one of that name.
   *
   * @throws IllegalArgumentException if the name is not possible
   * @throws IllegalStateException if there are too many panels
   */
  public synchronized void add(String name, Supplier<List<PanelItem>> items) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no name of a panel; give 1 to 60 characters on one line".formatted(name));
    }
    if (panels.size() == MOST_PANELS && !panels.containsKey(name)) {
      throw new IllegalStateException(
          "the panel '%s' is one too many: a program has at most %d; show more items in one"
              .formatted(name, MOST_PANELS));
    }
    panels.put(name, items);
  }

  /** Asks the program for all panels; returns the rows of those that answer in time. */
  List<WatchRecord.Panel> rows() {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    List<WatchRecord.Panel> rows = new ArrayList<>();
    for (var each : ask().entrySet()) {
      try {
        rows.add(row(each.getKey(), GridController.awaited(each.getValue(), deadline)));
      } catch (ExecutionException e) {
        rows.add(failed(each.getKey(), String.valueOf(e.getCause())));
      } catch (TimeoutException e) {
        continue; // a later round takes the answer
      }
      forget(each.getKey());
    }
    return rows;
  }

  private synchronized Map<String, CompletableFuture<List<PanelItem>>> ask() {
    panels.forEach(
        (name, items) ->
            asked.computeIfAbsent(
                name, _ -> CompletableFuture.supplyAsync(items, Thread::startVirtualThread)));
    return new LinkedHashMap<>(asked);
  }

  private synchronized void forget(String name) {
    asked.remove(name);
  }

  private static WatchRecord.Panel row(String name, List<PanelItem> items) {
    if (items.size() > MOST_ITEMS) {
      return failed(name, "it has %d items; show at most %d".formatted(items.size(), MOST_ITEMS));
    }
    List<PanelItem.Fact> facts = new ArrayList<>();
    List<PanelItem.Curve> curves = new ArrayList<>();
    List<PanelItem.Picture> pictures = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    List<String> buttons = new ArrayList<>();
    for (var each : items) {
      switch (each) {
        case PanelItem.Fact fact -> facts.add(fact);
        case PanelItem.Curve curve -> curves.add(curve);
        case PanelItem.Picture picture -> pictures.add(picture);
        case PanelItem.Line line -> lines.add(line.text());
        case PanelItem.Button button -> buttons.add(button.name());
      }
    }
    return new WatchRecord.Panel(name, facts, curves, pictures, lines, buttons, "");
  }

  private static WatchRecord.Panel failed(String name, String why) {
    return new WatchRecord.Panel(name, List.of(), List.of(), List.of(), List.of(), List.of(), why);
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
      action(items, panel, button).run();
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "'%s' of the panel '%s' has failed: %s".formatted(button, panel, e), e);
    }
  }

  private synchronized @Nullable Supplier<List<PanelItem>> panel(String name) {
    return panels.get(name);
  }

  private static Runnable action(Supplier<List<PanelItem>> items, String panel, String button) {
    for (var each : items.get()) {
      if (each instanceof PanelItem.Button its && its.name().equals(button)) {
        return its.action();
      }
    }
    throw new IllegalArgumentException(
        "the panel '%s' has no button '%s' now".formatted(panel, button));
  }
}
