package org.troupe.em3d;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;

/**
 * A run to which something happens at certain steps: it rests there until that has taken effect.
 */
final class ScriptedRun implements Watcher {

  static final double CFL = 0.9;
  static final int STEPS = 40;

  private record Event(int step, boolean changesNodes, Runnable act) {}

  private final Deque<Event> events = new ArrayDeque<>();
  private final List<String> news = new ArrayList<>();
  private final Problem problem;
  private final Simulation simulation;
  private final Archive states;
  private Runnable onWaiting = () -> {};
  private boolean acted;
  private int legs;
  private int legsBefore;

  ScriptedRun(Problem problem, Nodes nodes, RunOptions options) {
    this(problem, nodes, options, Archive.class, "", "");
  }

  ScriptedRun(
      Problem problem,
      Nodes nodes,
      RunOptions options,
      Class<? extends Archive> archive,
      Object folder,
      Object restart) {
    this.problem = problem;
    states =
        ActiveObjects.here()
            .create(
                archive, Checkpoint.Run.of(problem, CFL), folder.toString(), restart.toString());
    simulation = new Simulation(problem, nodes, states, options, this);
  }

  /** A run of {@link #STEPS} that takes in every node and saves each ten steps. */
  static RunOptions eager() {
    return RunOptions.of(STEPS, CFL).withCheckpointEvery(10).withWorthSteps(0);
  }

  /** What other nodes are to follow from. */
  ScriptedRun at(int step, Runnable act) {
    events.add(new Event(step, true, act));
    return this;
  }

  /** What nothing is to follow from. */
  ScriptedRun inVainAt(int step, Runnable act) {
    events.add(new Event(step, false, act));
    return this;
  }

  ScriptedRun onWaiting(Runnable act) {
    onWaiting = act;
    return this;
  }

  ScriptedRun showTo(Gallery gallery) {
    simulation.showTo(gallery);
    return this;
  }

  ScriptedRun run() {
    restAtNext();
    simulation.run();
    return this;
  }

  private void restAtNext() {
    acted = false;
    simulation.pauseAt(events.isEmpty() ? Integer.MAX_VALUE : events.peek().step());
  }

  @Override
  public void progress(Collector.Progress progress) {
    if (!progress.resting() || events.isEmpty()) {
      return;
    }
    if (!acted) {
      acted = true;
      legsBefore = legs;
      events.peek().act().run();
    } else if (!events.peek().changesNodes() || legs > legsBefore) {
      events.remove();
      restAtNext();
    }
  }

  @Override
  public void news(String line) {
    news.add(line);
    if (line.startsWith("going on")) {
      legs++;
    } else if (line.contains("waiting for more")) {
      onWaiting.run();
    }
  }

  Archive states() {
    return states;
  }

  List<String> news() {
    return news;
  }

  Report report() {
    return simulation.report("in-process", Set.of());
  }

  List<double[]> series() {
    return simulation.series();
  }

  Readings readings() {
    return new Readings(problem.setup().gauges(), simulation.series());
  }

  long checksum() {
    return simulation.checksum();
  }

  /** That of a run which nothing happens to. */
  long expectedChecksum() {
    return SimulationTest.lockstep(problem, STEPS);
  }
}
