package org.troupe.activeobjects.internal.listing;

import static org.troupe.activeobjects.internal.listing.CycleGrid.COORDINATOR;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.troupe.activeobjects.internal.listing.CycleExplorer.WithoutRule;

/** The coordinator's rounds of trials in a {@link CycleGrid}. */
final class CycleRound {

  private enum Phase {
    NONE,
    PREPARING,
    TRYING,
    FINISHING
  }

  private final CycleGrid grid;
  private final CycleSearch search;
  private Phase phase = Phase.NONE;
  private final Set<Integer> awaited = new TreeSet<>();
  private final Set<ObjectName> participants = new HashSet<>();
  private int poll;
  private int pollsBefore; // this round
  private Map<Long, TrialReport> reports = new TreeMap<>();

  CycleRound(CycleGrid grid, WithoutRule without) {
    this.grid = grid;
    search =
        new CycleSearch() {
          @Override
          void mark(Set<ObjectName> reached, Map<ObjectName, List<ObjectName>> names) {
            if (without != WithoutRule.MARKED_NAMES) {
              super.mark(reached, names);
            }
          }
        };
  }

  /** Returns the steps that the coordinator can make next. */
  List<Runnable> actions(boolean isWindingUp) {
    return switch (phase) {
      case NONE -> List.of(() -> begin(isWindingUp));
      case TRYING -> {
        if (!awaited.isEmpty()) {
          yield List.of();
        }
        List<Runnable> actions = new ArrayList<>(Collections.nCopies(4, this::ask));
        if (poll - pollsBefore > grid.random.nextInt(8)) {
          actions.add(this::finish);
        }
        yield actions;
      }
      case PREPARING, FINISHING -> List.of();
    };
  }

  private void begin(boolean isWindingUp) {
    phase = Phase.PREPARING;
    participants.clear();
    awaited.clear();
    var candidates = isWindingUp ? search.candidates(suspects()) : null;
    for (var each : grid.living()) {
      awaited.add(each.index);
      var its = candidates == null ? null : candidates.getOrDefault((long) each.index, Set.of());
      grid.send(COORDINATOR, each.index, new CycleMessage.Prepare(its));
    }
  }

  private Map<Long, List<Suspect>> suspects() {
    Map<Long, List<Suspect>> all = new TreeMap<>();
    for (var node : grid.living()) {
      all.put(
          (long) node.index,
          node.objects.values().stream()
              .map(
                  each ->
                      new Suspect(
                          each.name.number(), each.copies.holders(), List.copyOf(each.references)))
              .toList());
    }
    return all;
  }

  private void ask() {
    poll++;
    reports = new TreeMap<>();
    toAll(new CycleMessage.Ask(poll));
  }

  private void finish() {
    phase = Phase.FINISHING;
    toAll(new CycleMessage.Finish());
  }

  private void toAll(CycleMessage message) {
    awaited.clear();
    for (var each : grid.living()) {
      awaited.add(each.index);
      grid.send(COORDINATOR, each.index, message);
    }
  }

  /** Continues when all nodes have answered, or have died. */
  private void answered() {
    if (!awaited.isEmpty()) {
      return;
    }
    switch (phase) {
      case PREPARING -> {
        phase = Phase.TRYING;
        pollsBefore = poll;
        var all = Set.copyOf(participants);
        toAll(new CycleMessage.Go(all));
        awaited.clear();
      }
      case TRYING -> {
        search
            .garbage(reports)
            .forEach(
                (host, numbers) ->
                    grid.send(COORDINATOR, host.intValue(), new CycleMessage.Free(numbers)));
      }
      case FINISHING -> {
        phase = Phase.NONE;
        toAll(new CycleMessage.Over());
        awaited.clear();
      }
      case NONE -> {}
    }
  }

  private void answers(int from) {
    awaited.remove(from);
    answered();
  }

  /** Handles the answer of a node whose objects are prepared. */
  void prepared(int from, Set<Long> numbers) {
    numbers.forEach(each -> participants.add(new ObjectName(from, each)));
    answers(from);
  }

  /** Handles the report of a node on its trials. */
  void reported(int from, int itsPoll, TrialReport report) {
    if (itsPoll == poll) {
      reports.put((long) from, report);
      answers(from);
    }
  }

  /** Handles the answer of a node that has finished the round. */
  void finished(int from) {
    answers(from);
  }

  /** Awaits nothing more of a node. */
  void died(int node) {
    if (awaited.remove(node)) {
      reports.remove((long) node);
      answered();
    }
  }
}
