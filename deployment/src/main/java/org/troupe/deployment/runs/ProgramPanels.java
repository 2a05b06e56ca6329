package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.watch.WatchRecord;

/** The panels that a program shows on the page of its run. Thread-safe. */
public final class ProgramPanels {

  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final int MOST_PANELS = 20;
  private static final int LONGEST_NAME = 60; // characters

  private final Duration late;
  private final Map<String, ProgramPanel> panels = new LinkedHashMap<>();

  /** Creates the panels of a program that has none yet. */
  public ProgramPanels() {
    this(ProgramPanel.LATE);
  }

  /** Creates panels that are late after another time, for a test. */
  ProgramPanels(Duration late) {
    this.late = late;
  }

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
    panels.put(name, new ProgramPanel(name, items, late)); // the one before may never answer
  }

  /** Asks the program for all panels; returns their rows. */
  List<WatchRecord.Panel> rows() {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    var all = all();
    all.forEach(ProgramPanel::ask);
    return all.stream().flatMap(each -> each.row(deadline).stream()).toList();
  }

  private synchronized List<ProgramPanel> all() {
    return List.copyOf(panels.values());
  }

  /**
   * Does what a button of a panel says, and returns when that is done.
   *
   * @throws RefusedRequestException if the panel has no such button now, or its action fails
   */
  void press(String panel, String button) {
    var its = panel(panel);
    if (its == null) {
      throw new RefusedRequestException("the program has no panel '%s'".formatted(panel));
    }
    try {
      var action = its.action(button);
      if (action.isPresent()) {
        action.get().run();
        return;
      }
    } catch (RuntimeException | Error e) { // of the program
      throw RefusedRequestException.ofRun(
          "'%s' of the panel '%s' has failed: %s".formatted(button, panel, e), e);
    }
    throw new RefusedRequestException(
        "the panel '%s' has no button '%s' now".formatted(panel, button));
  }

  private synchronized @Nullable ProgramPanel panel(String name) {
    return panels.get(name);
  }
}
