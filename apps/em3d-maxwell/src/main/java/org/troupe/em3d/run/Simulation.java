package org.troupe.em3d.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
import org.troupe.em3d.state.RunPosition;
import org.troupe.em3d.state.StateArchive;

/**
 * A run on nodes that join and leave. For one thread.
 *
 * <p>A run consists of segments, each with its own division. When a node joins and is worth a
 * re-division, or announces that it is going to leave, the segment saves its state at a common
 * step, and the next one continues from there with another division. When a node is lost, the next
 * segment continues from the last saved state. The fields are equal to the last bit to those of an
 * undisturbed run.
 */
public final class Simulation {

  private static final long PROGRESS_MILLIS = 250;
  private static final long REMAINS_SECONDS = 10; // enough: the launcher holds these data itself

  private final MaxwellProblem problem;
  private final Nodes nodes;
  private final StateArchive archive;
  private final RunOptions options;
  private final RunListener watcher;
  private final List<String> warnings;
  private final boolean isOpen;
  private final Semaphore changed =
      new Semaphore(0); // has permits after a change of nodes or the end of a segment
  private final List<RunReport.Segment> history = new CopyOnWriteArrayList<>();
  private volatile @Nullable RunSegment
      segment; // the one that losses are reported to; null before the first
  private volatile @Nullable RunSegment
      measuring; // the last one that was prepared; null before the first
  private volatile @Nullable RunSegment ended; // the last one in the history; null before the first
  private RunSegment.@Nullable Results results; // null until the run is over
  private int pauseAt = Integer.MAX_VALUE;
  private boolean stopped;
  private int reached;
  private double dt;
  private long stepsDone;
  private long loopNanos;
  private @Nullable FrameAssembler assembler; // null: no frames are asked for
  private final Map<String, String> lastErrors = new HashMap<>(); // the latest ones, by source

  /**
   * Prepares a run on the nodes that are present at {@link #run}, and on those that join later.
   *
   * @param archive holds the state to continue from, if any, and takes further ones
   * @param options the options; with a cfl above 1, the run ends when fields grow without bound
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
    warnings = problem.warnings(); // now, as the whole mesh leaves the memory later
    isOpen = problem.isOpen();
    nodes.onJoin(node -> changed.release());
    nodes.onLeaving((node, reason) -> leaving(node));
    nodes.onLeave(this::left);
  }

  private void leaving(Node node) {
    var current = segment;
    if (current != null && options.saves()) {
      current.leaving(node);
    }
  }

  private void left(Node node, String reason) {
    var current = segment;
    if (current != null) {
      current.left(node, reason);
    }
    changed.release();
  }

  /** Sends frames of the run to this assembler; to be called before {@link #run}. */
  public void showTo(FrameAssembler itsAssembler) {
    assembler = itsAssembler;
  }

  // Running

  /**
   * Runs all steps, or until {@link #stop}.
   *
   * @throws IllegalStateException if too few nodes are left to continue; the message names the
   *     place of the last state
   */
  public void run() {
    while (results == null) {
      runSegment();
    }
    reportErrors();
  }

  private void runSegment() {
    var there = enoughNodes();
    var position = archive.last();
    var current = new RunSegment(problem, there, position, options);
    segment = current;
    try {
      if (nodes.list().containsAll(current.nodes())) {
        run(current, there, position);
      } else { // a node left before the segment was registered
        current.dissolve();
      }
    } finally {
      current.release();
    }
  }

  private void run(RunSegment current, List<Node> there, @Nullable RunPosition position) {
    try {
      if (!history.isEmpty()) {
        watcher.news(
            "continuing from step %,d; sub-domains: %d, nodes: %d"
                .formatted(
                    position == null ? 0 : position.step(),
                    current.partition().parts().size(),
                    current.nodes().size()));
      }
      if (there.size() > current.nodes().size()) {
        watcher.news(
            "%d of %d nodes are idle: there are only %d sub-domains"
                .formatted(
                    there.size() - current.nodes().size(),
                    there.size(),
                    current.partition().parts().size()));
      }
      current.prepare(archive, assembler);
      measuring = current;
      watch(current);
    } catch (RuntimeException failure) {
      if (nodes.list().containsAll(current.nodes())) {
        throw failure;
      }
      current.release();
      lost(current);
    }
    if (results == null) {
      current.dissolve();
    }
  }

  private void watch(RunSegment current) {
    current.start(archive, pauseAt).whenComplete((step, failure) -> changed.release());
    if (stopped) {
      current.stop();
    }
    while (!current.isOver()) {
      awaitNews();
      watcher.progress(current.progress());
      reportErrors();
      if (current.isYielding()) {
        continue;
      }
      if (!current.leavers().isEmpty()) {
        current.yieldToNext("as " + String.join(", ", current.leavers()) + " leaves");
      } else if (isWorthMore(current)) {
        current.yieldToNext("to more nodes");
      }
    }
    var end = current.end();
    watcher.progress(current.progress());
    if (stopped || end == options.steps()) {
      results = current.results();
      ended(
          current,
          end,
          end < options.steps()
              ? "stopped at step %,d of %,d".formatted(end, options.steps())
              : "complete");
    } else {
      ended(current, end, "yielded " + current.yielding());
      watcher.news("step %,d: the state is saved, to yield %s".formatted(end, current.yielding()));
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
   * Returns whether a re-division for the present nodes gains more than it costs: whether it saves,
   * over the remaining steps, at least {@code worthSteps} steps of the busiest node's time.
   */
  private boolean isWorthMore(RunSegment current) {
    var used = current.nodes().size();
    var there = nodes.size();
    if (options.worthSteps() == RunOptions.NEVER || there <= used) {
      return false;
    }
    var share = problem.largestShare(there) / problem.largestShare(used);
    var left = options.steps() - current.progress().step();
    return share < 1 && left * (1 - share) >= options.worthSteps();
  }

  private void ended(RunSegment current, int step, String how) {
    reached = step;
    dt = current.dt();
    stepsDone += step - current.from();
    loopNanos += current.loopNanos();
    history.add(summary(current, step, how));
    ended = current;
  }

  private static RunReport.Segment summary(RunSegment segment, int step, String how) {
    return new RunReport.Segment(
        segment.from(),
        step,
        segment.nodes().size(),
        segment.partition().parts().size(),
        segment.partition().division(),
        how);
  }

  private void lost(RunSegment current) {
    var losses = current.awaitLosses();
    var step = current.reached();
    ended(current, step, "lost " + String.join(", ", losses.keySet()));
    var position = archive.last();
    losses.forEach(
        (name, reason) ->
            watcher.news(
                "step %,d: node '%s' is lost: %s; the last state is %s"
                    .formatted(
                        step,
                        name,
                        reason,
                        position == null ? "the beginning" : "of step " + position.step())));
  }

  /** Returns the nodes for the next segment; waits for enough of them. */
  private List<Node> enoughNodes() {
    try {
      for (; ; ) {
        var there = nodes.list();
        if (there.size() >= options.minNodes()) {
          return there;
        }
        watcher.news(
            "%d nodes are present and %d are needed; waiting up to %d s for more"
                .formatted(there.size(), options.minNodes(), options.patience().toSeconds()));
        nodes.await(Nodes.atLeast(options.minNodes()), options.patience());
      }
    } catch (TimeoutException | NodesMissingException e) {
      throw new IllegalStateException(
          "the run cannot continue: " + e.getMessage() + "\n" + archive.advice(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }

  /** Reports states and frames that could not be written; they do not end the run. */
  private void reportErrors() {
    tell("archive", archive.lastError());
    if (assembler != null) {
      tell("gallery", assembler.lastError());
    }
  }

  private void tell(String who, String lastError) {
    if (!lastError.equals(lastErrors.put(who, lastError)) && !lastError.isEmpty()) {
      watcher.news(lastError);
    }
  }

  // Control, on the running thread: from the listener

  /** Pauses the run at a step, or at the step that was granted already if that is later. */
  public void pauseAt(int step) {
    pauseAt = step;
    var current = segment;
    if (current != null) {
      current.pauseAt(step);
    }
  }

  /** Ends a pause. */
  public void resume() {
    pauseAt(Integer.MAX_VALUE);
  }

  /** Returns the last segment that has begun. */
  private RunSegment segment() {
    return Objects.requireNonNull(segment, "the run has begun");
  }

  /** Returns the signals of the probes up to now. */
  public Map<String, ProbeSignal> signals() {
    return new MonitorSeries(problem.setup().monitors(), segment().series()).signals(dtSeconds());
  }

  /** Ends the run early. */
  public void stop() {
    stopped = true;
    var current = segment;
    if (current != null) {
      current.stop();
    }
  }

  /** Returns the step at which the run ends unless it is stopped. */
  public int lastStep() {
    return options.steps();
  }

  /** Returns the time step in seconds. */
  public double dtSeconds() {
    return segment().dt() / Physics.SPEED_OF_LIGHT;
  }

  // At the end

  /** Returns whether {@link #stop} ended the run early; to be called after {@link #run}. */
  boolean isStopped() {
    return reached < options.steps();
  }

  /**
   * Returns a report of a run that did not come to its end; {@code null} if nothing was measured.
   * It needs no node and can be called by any thread.
   *
   * @param why the reason of the end
   */
  public @Nullable PartialReport partialReport(String why) throws InterruptedException {
    var last = measuring;
    if (last == null) {
      return null;
    }
    RunCollector.Measured measured;
    try {
      measured = last.measured().get(REMAINS_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      watcher.news("the measurements are lost: " + e);
      return null;
    }
    if (measured.samples().isEmpty()) {
      return null;
    }
    List<RunReport.Segment> segments = new ArrayList<>(history);
    if (last != ended) {
      segments.add(summary(last, measured.step(), why));
    }
    return new PartialReport(
        problem.mesh(),
        problem.order().degree(),
        problem.cells(),
        measured.step(),
        options.steps(),
        last.dt() / Physics.SPEED_OF_LIGHT,
        why,
        segments,
        measured.samples(),
        new MonitorSeries(problem.setup().monitors(), measured.series()));
  }

  private RunSegment.Results results() {
    return Objects.requireNonNull(results, "the run is over");
  }

  /**
   * Returns the report of the run; to be called after {@link #run}.
   *
   * @param before the phases before the run
   */
  public RunReport report(String transport, Set<String> drivers, List<RunReport.Phase> before) {
    var last = segment();
    var results = results();
    Map<String, Long> memory = new HashMap<>(); // by node: a node may hold several sub-domains
    results.costs().forEach(cost -> memory.put(cost.node(), cost.peakRssBytes()));
    var nodesMemory = memory.values().stream().mapToLong(Long::longValue).sum();
    var size = results.size();
    var secondsPerStep = stepsDone == 0 ? Double.NaN : loopNanos / 1e9 / stepsDone;
    return new RunReport(
        problem.setup().name(),
        problem.mesh(),
        last.partition().division(),
        last.partition().partitioner(),
        problem.order(),
        size.cells(),
        size.faces(),
        size.borderFaces(),
        last.partition().parts().size(),
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
        isOpen,
        results.errorOfE(),
        size.borderFaces() * problem.order().borderBytesPerStep(),
        results.costs().stream()
            .mapToDouble(
                cost -> cost.loopNanos() == 0 ? 0 : (double) cost.waitNanos() / cost.loopNanos())
            .average()
            .orElse(0),
        nodes.list().stream().allMatch(Node::isLocal)
            ? nodesMemory
            : nodesMemory + PeakMemory.bytes(),
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
        checks(results),
        isStopped() ? problem.setup().expectations().size() : 0,
        warnings,
        Stream.concat(before.stream(), last.phases(results).stream()).toList());
  }

  /** Compares the results with the expected ones, if the run was not stopped. */
  private List<ExpectedResult.Verdict> checks(RunSegment.Results results) {
    if (isStopped()) {
      return List.of();
    }
    var evidence =
        new ExpectedResult.Evidence(
            dt,
            results.energies().samples(),
            results.errorOfE(),
            problem.setup().monitors(),
            results.series());
    return problem.setup().expectations().stream()
        .flatMap(each -> each.judge(evidence).stream())
        .toList();
  }

  /** Returns the readings, after {@link #run}: for each monitor step, numbers, step, numbers ... */
  public List<double[]> series() {
    return results().series();
  }

  /**
   * Returns the checksum of all fields, which is equal for every division; to be called after
   * {@link #run}.
   */
  public long checksum() {
    return segment().checksum();
  }
}
