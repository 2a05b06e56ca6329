package org.troupe.em3d.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.report.RunReport;
import org.troupe.em3d.state.MonitorSeries;
import org.troupe.em3d.state.StateArchive;

/**
 * A run to which something happens at certain steps: it rests there until that has taken effect.
 */
public final class ScriptedRun implements RunListener {

  public static final double CFL = 0.9;
  public static final int STEPS = 40;

  private record Event(int step, boolean changesNodes, Runnable act) {}

  private final Deque<Event> events = new ArrayDeque<>();
  private final List<String> news = new ArrayList<>();
  private final MaxwellProblem problem;
  private final Simulation simulation;
  private final StateArchive states;
  private Runnable onWaiting = () -> {};
  private boolean acted;
  private int segments;
  private int segmentsBefore;

  public ScriptedRun(MaxwellProblem problem, Nodes nodes, RunOptions options) {
    this(problem, nodes, options, StateArchive.class, "", "");
  }

  public ScriptedRun(
      MaxwellProblem problem,
      Nodes nodes,
      RunOptions options,
      Class<? extends StateArchive> archive,
      Object folder,
      Object restart) {
    this.problem = problem;
    states =
        ActiveObjects.here()
            .create(archive, problem.checkpointRun(CFL), folder.toString(), restart.toString());
    simulation = new Simulation(problem, nodes, states, options, this);
  }

  /** Options for {@link #STEPS} steps that use each node that joins and save every ten steps. */
  public static RunOptions eager() {
    return RunOptions.of(STEPS, CFL).withCheckpointEvery(10).withWorthSteps(0);
  }

  /** Schedules an action after which the run continues on other nodes. */
  public ScriptedRun at(int step, Runnable act) {
    events.add(new Event(step, true, act));
    return this;
  }

  /** Schedules an action that must not change the nodes of the run. */
  public ScriptedRun inVainAt(int step, Runnable act) {
    events.add(new Event(step, false, act));
    return this;
  }

  public ScriptedRun onWaiting(Runnable act) {
    onWaiting = act;
    return this;
  }

  public ScriptedRun showTo(FrameAssembler assembler) {
    simulation.showTo(assembler);
    return this;
  }

  public ScriptedRun run() {
    restAtNext();
    simulation.run();
    return this;
  }

  private void restAtNext() {
    acted = false;
    simulation.pauseAt(events.isEmpty() ? Integer.MAX_VALUE : events.peek().step());
  }

  @Override
  public void progress(RunCollector.Progress progress) {
    if (!progress.resting() || events.isEmpty()) {
      return;
    }
    if (!acted) {
      acted = true;
      segmentsBefore = segments;
      events.peek().act().run();
    } else if (!events.peek().changesNodes() || segments > segmentsBefore) {
      events.remove();
      restAtNext();
    }
  }

  @Override
  public void news(String line) {
    news.add(line);
    if (line.startsWith("continuing")) {
      segments++;
    } else if (line.contains("waiting up to")) {
      onWaiting.run();
    }
  }

  public StateArchive states() {
    return states;
  }

  public List<String> news() {
    return news;
  }

  public RunReport report() {
    return simulation.report("in-process", Set.of(), List.of());
  }

  public List<double[]> series() {
    return simulation.series();
  }

  public MonitorSeries readings() {
    return new MonitorSeries(problem.setup().monitors(), simulation.series());
  }

  public long checksum() {
    return simulation.checksum();
  }

  /** Returns the checksum of an undisturbed run. */
  public long expectedChecksum() {
    return SimulationTest.lockstep(problem, STEPS);
  }
}
