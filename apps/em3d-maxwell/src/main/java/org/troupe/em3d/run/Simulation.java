package org.troupe.em3d.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.NodesMissingException;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.problem.ExpectedResult;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.report.PartialReport;
import org.troupe.em3d.report.RunReport;
import org.troupe.em3d.state.MonitorSeries;
import org.troupe.em3d.state.ProbeSignal;
import org.troupe.em3d.state.StateArchive;

/**
 * One run, on nodes that come and go. For one thread.
 *
 * <p>It has one leg after the other, each on nodes of its own. When a node joins and is worth it,
 * or says that it is going to leave, the leg saves its state where all sub-domains rest, and the
 * next one goes on from there with another division. When a node is lost, the next leg goes on from
 * the last state that was saved. The fields are those of a run that nothing has happened to, to the
 * last bit.
 */
public final class Simulation {

  private static final long PROGRESS_MILLIS = 250;
  private static final long REMAINS_SECONDS = 10; // the launcher has them at hand

  private final MaxwellProblem problem;
  private final Nodes nodes;
  private final StateArchive archive;
  private final RunOptions options;
  private final RunListener watcher;
  private final Semaphore changed = new Semaphore(0); // has permits when there is news to look at
  private final List<RunReport.Leg> history = new CopyOnWriteArrayList<>();
  private volatile RunSegment leg; // the one that hears of losses
  private volatile RunSegment measuring; // the last one that was prepared; null: none was
  private volatile RunSegment ended; // the last one in the history
  private RunSegment.Results results; // null until the run is over
  private int pauseAt = Integer.MAX_VALUE;
  private boolean stopped;
  private int reached;
  private double dt;
  private long stepsDone;
  private long loopNanos;
  private FrameAssembler gallery; // null: nobody looks
  private final Map<String, String> troubles = new HashMap<>(); // the last ones, by who told them

  /**
   * Prepares a run on the nodes that are there at {@link #run}, and on those that come later.
   *
   * @param archive holds the state to go on from, if any, and takes further ones
   * @param options whose cfl may be above 1: the run then ends when fields grow without bound
   */
  public Simulation(
      MaxwellProblem problem,
      Nodes nodes,
      StateArchive archive,
      RunOptions options,
      RunListener watcher) {
    this.problem = problem;
    this.nodes = nodes;
    this.archive = archive;
    this.options = options;
    this.watcher = watcher;
    nodes.onJoin(node -> changed.release());
    nodes.onLeaving((node, reason) -> leaving(node));
    nodes.onLeave(this::left);
  }

  private void leaving(Node node) {
    var present = leg;
    if (present != null && options.saves()) {
      present.leaving(node);
    }
  }

  private void left(Node node, String reason) {
    var present = leg;
    if (present != null) {
      present.left(node, reason);
    }
    changed.release();
  }

  /** Shows the run there; to be called before {@link #run}. */
  public void showTo(FrameAssembler itsGallery) {
    gallery = itsGallery;
  }

  // Running

  /**
   * Runs all steps, or as many as it is told.
   *
   * @throws IllegalStateException if there are too few nodes to go on; the message says where the
   *     last state is
   */
  public void run() {
    while (results == null) {
      runLeg();
    }
    tellTrouble();
  }

  private void runLeg() {
    var there = enoughNodes();
    var present = new RunSegment(problem, there);
    leg = present;
    try {
      if (nodes
          .list()
          .containsAll(present.nodes())) { // else one left before this leg could hear it
        run(present, there);
      }
    } finally {
      present.release();
    }
  }

  private void run(RunSegment present, List<Node> there) {
    try {
      var point = archive.last();
      if (!history.isEmpty()) {
        watcher.news(
            "going on from step %,d with %d sub-domains on %d nodes"
                .formatted(
                    point == null ? 0 : point.step(),
                    present.cut().parts().size(),
                    present.nodes().size()));
      }
      if (there.size() > present.nodes().size()) {
        watcher.news(
            "%d of %d nodes have nothing to do: there are only %d sub-domains"
                .formatted(
                    there.size() - present.nodes().size(),
                    there.size(),
                    present.cut().parts().size()));
      }
      present.prepare(point, archive, gallery, options);
      measuring = present;
      watch(present);
    } catch (RuntimeException failure) {
      if (nodes.list().containsAll(present.nodes())) {
        throw failure;
      }
      present.release();
      lost(present);
    }
    if (results == null) {
      present.dissolve();
    }
  }

  private void watch(RunSegment present) {
    present.start(archive, pauseAt).whenComplete((step, failure) -> changed.release());
    if (stopped) {
      present.stop();
    }
    while (!present.isOver()) {
      awaitNews();
      watcher.progress(present.progress());
      tellTrouble();
      if (present.isYielding()) {
        continue;
      }
      if (!present.leavers().isEmpty()) {
        present.yieldToNext("as " + String.join(", ", present.leavers()) + " leaves");
      } else if (isWorthMore(present)) {
        present.yieldToNext("to more nodes");
      }
    }
    var end = present.end();
    watcher.progress(present.progress());
    if (stopped || end == options.steps()) {
      results = present.results();
      ended(
          present,
          end,
          end < options.steps()
              ? "stopped at step %,d of %,d".formatted(end, options.steps())
              : "complete");
    } else {
      ended(present, end, "yielded " + present.yielding());
      watcher.news("step %,d: the state is saved, to yield %s".formatted(end, present.yielding()));
    }
  }

  private void awaitNews() {
    try {
      if (changed.tryAcquire(PROGRESS_MILLIS, TimeUnit.MILLISECONDS)) {
        changed.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }

  /**
   * Says whether a re-division for the nodes that are there now would gain more than it costs: the
   * busiest node would have so much less to do that over the steps left the time of some steps is
   * saved.
   */
  private boolean isWorthMore(RunSegment present) {
    var used = present.nodes().size();
    var there = nodes.size();
    if (options.worthSteps() == RunOptions.NEVER || there <= used) {
      return false;
    }
    var share = problem.busiest(there) / problem.busiest(used);
    var left = options.steps() - present.progress().step();
    return share < 1 && left * (1 - share) >= options.worthSteps();
  }

  private void ended(RunSegment present, int step, String how) {
    reached = step;
    dt = present.dt();
    stepsDone += step - present.from();
    loopNanos += present.loopNanos();
    history.add(told(present, step, how));
    ended = present;
  }

  private static RunReport.Leg told(RunSegment leg, int step, String how) {
    return new RunReport.Leg(
        leg.from(), step, leg.nodes().size(), leg.cut().parts().size(), leg.cut().division(), how);
  }

  private void lost(RunSegment present) {
    var losses = present.awaitLosses();
    var step = present.reached();
    ended(present, step, "lost " + String.join(", ", losses.keySet()));
    var point = archive.last();
    losses.forEach(
        (name, reason) ->
            watcher.news(
                "step %,d: node '%s' is lost: %s; the last state is %s"
                    .formatted(
                        step,
                        name,
                        reason,
                        point == null ? "the beginning" : "of step " + point.step())));
  }

  /** Waits for the nodes of the next leg. */
  private List<Node> enoughNodes() {
    try {
      for (; ; ) {
        var there = nodes.list();
        if (there.size() >= options.minNodes()) {
          return there;
        }
        watcher.news(
            "%d nodes are there, and %d are needed; waiting for more, up to %d s"
                .formatted(there.size(), options.minNodes(), options.patience().toSeconds()));
        nodes.await(Nodes.atLeast(options.minNodes()), options.patience());
      }
    } catch (TimeoutException | NodesMissingException e) {
      throw new IllegalStateException(
          "the run cannot go on: " + e.getMessage() + "\n" + archive.advice(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }

  /** A state that cannot be written is no reason to end a run, but one to tell the user. */
  private void tellTrouble() {
    tell("archive", archive.trouble());
    if (gallery != null) {
      tell("gallery", gallery.trouble());
    }
  }

  private void tell(String who, String trouble) {
    if (!trouble.equals(troubles.put(who, trouble)) && !trouble.isEmpty()) {
      watcher.news(trouble);
    }
  }

  // Steering, by the thread that runs: in the watcher

  /** Lets the run go on up to a step, or as far as it has come already, and rest there. */
  public void pauseAt(int step) {
    pauseAt = step;
    if (leg != null) {
      leg.pauseAt(step);
    }
  }

  /** Lets it go on without rest. */
  public void resume() {
    pauseAt(Integer.MAX_VALUE);
  }

  /** What was measured so far, to be asked in the watcher like the rest. */
  public Map<String, ProbeSignal> swings() {
    return new MonitorSeries(problem.setup().gauges(), leg.series())
        .swings(leg.dt() / Physics.SPEED_OF_LIGHT);
  }

  /** Ends it early. */
  public void stop() {
    stopped = true;
    if (leg != null) {
      leg.stop();
    }
  }

  /** The step at which it ends unless it is stopped. */
  public int lastStep() {
    return options.steps();
  }

  /** The time step, to be asked in the watcher. */
  public double dtSeconds() {
    return leg.dt() / Physics.SPEED_OF_LIGHT;
  }

  // At the end

  /** Whether it was ended early by {@link #stop}; after {@link #run}. */
  boolean isStopped() {
    return reached < options.steps();
  }

  /**
   * What there is of a run that did not come to its end; {@code null} if nothing was measured. Asks
   * no node, so it can be called by any thread and whatever has happened to them.
   *
   * @param why it ended
   */
  public PartialReport remains(String why) throws InterruptedException {
    var last = measuring;
    if (last == null) {
      return null;
    }
    RunCollector.Measured measured;
    try {
      measured = last.measured().get(REMAINS_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      watcher.news("what was measured so far is lost: " + e);
      return null;
    }
    if (measured.samples().isEmpty()) {
      return null;
    }
    List<RunReport.Leg> legs = new ArrayList<>(history);
    if (last != ended) {
      legs.add(told(last, measured.step(), why));
    }
    return new PartialReport(
        problem.mesh(),
        problem.order().degree(),
        problem.cells(),
        measured.step(),
        options.steps(),
        last.dt() / Physics.SPEED_OF_LIGHT,
        why,
        legs,
        measured.samples(),
        new MonitorSeries(problem.setup().gauges(), measured.series()));
  }

  /** Gathers what there is to tell, after {@link #run}. */
  public RunReport report(String transport, Set<String> drivers) {
    Map<String, Long> memory = new HashMap<>(); // of the nodes, several sub-domains may be on one
    results.costs().forEach(cost -> memory.put(cost.node(), cost.peakRssBytes()));
    var nodesMemory = memory.values().stream().mapToLong(Long::longValue).sum();
    var size = results.size();
    var secondsPerStep = stepsDone == 0 ? Double.NaN : loopNanos / 1e9 / stepsDone;
    return new RunReport(
        problem.setup().name(),
        problem.mesh(),
        leg.cut().division(),
        leg.cut().partitioner(),
        problem.order(),
        size.cells(),
        size.faces(),
        size.borderFaces(),
        leg.cut().parts().size(),
        memory.size(),
        transport,
        drivers,
        reached,
        options.steps(),
        dt / Physics.SPEED_OF_LIGHT,
        secondsPerStep,
        size.cells() / secondsPerStep,
        results.energies().first() * Physics.VACUUM_PERMITTIVITY,
        results.energies().drift(),
        problem.isOpen(),
        results.errors() == null ? null : results.errors().relativeE(),
        size.borderFaces() * problem.order().borderBytesPerStep(),
        results.costs().stream()
            .mapToDouble(
                cost -> cost.loopNanos() == 0 ? 0 : (double) cost.waitNanos() / cost.loopNanos())
            .average()
            .orElse(0),
        nodesMemory + PeakMemory.bytes(),
        nodesMemory,
        results.costs().stream()
            .map(SubDomainSolver.Cost::kernel)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", ")),
        results.costs().stream().mapToInt(SubDomainSolver.Cost::threads).sum(),
        List.copyOf(history),
        results.energies().samples(),
        results.energies().pace(),
        checks(),
        isStopped() ? problem.setup().expectations().size() : 0,
        problem.warnings());
  }

  /** What was expected, if the run went as far as the problem says. */
  private List<ExpectedResult.Verdict> checks() {
    if (isStopped()) {
      return List.of();
    }
    var evidence =
        new ExpectedResult.Evidence(
            dt,
            results.energies().samples(),
            results.errors() == null ? null : results.errors().relativeE(),
            problem.setup().gauges(),
            results.series());
    return problem.setup().expectations().stream()
        .flatMap(each -> each.judge(evidence).stream())
        .toList();
  }

  /** What was measured, after {@link #run}: for each gauge step, numbers, step, numbers ... */
  public List<double[]> series() {
    return results.series();
  }

  /** Returns the fingerprint of all fields, equal for every division; after {@link #run}. */
  public long checksum() {
    return leg.checksum();
  }
}
