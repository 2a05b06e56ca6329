package org.troupe.em3d.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.maxwell.FieldErrors;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.mesh.MeshSize;
import org.troupe.em3d.problem.InitialFields;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.state.CheckpointException;
import org.troupe.em3d.state.RunPosition;
import org.troupe.em3d.state.StateArchive;
import org.troupe.em3d.views.BoundingBox;
import org.troupe.groups.Group;
import org.troupe.groups.GroupCallException;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;
import org.troupe.groups.Scatter;

/**
 * The part of a run in which nothing changes: the sub-domains of one division, each on its node,
 * and the collector that watches over them. It ends when the run does, when it is told to yield to
 * the next one, or when one of its nodes is lost.
 *
 * <p>Used by one thread, but for {@link #left} and {@link #leaving}.
 */
final class RunSegment {

  private static final long LOOK_MILLIS = 100;

  private final MaxwellProblem problem;
  private final MaxwellProblem.Cut cut;
  private final List<Node> nodes;
  private final Map<String, String> losses = new ConcurrentHashMap<>(); // reasons by name
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final Set<String> leavers = new ConcurrentSkipListSet<>(); // by name
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile RunCollector collector;
  private volatile CompletableFuture<RunCollector.Measured>
      measured; // null: the collector is there
  private Group<SubDomainSolver> solvers; // null: not placed yet
  private CompletableFuture<Integer> end;
  private String yielding = ""; // why
  private int from;
  private double dt;
  private boolean isShown;
  private long began;
  private long loopNanos;

  /** Places nothing yet, so that nobody can be lost unheard: first tell it who has left. */
  RunSegment(MaxwellProblem problem, List<Node> there) {
    this.problem = problem;
    this.cut = problem.cut(there.size());
    this.nodes = there.subList(0, Math.min(there.size(), cut.parts().size()));
  }

  /** The nodes that have something to do. */
  List<Node> nodes() {
    return nodes;
  }

  MaxwellProblem.Cut cut() {
    return cut;
  }

  int from() {
    return from;
  }

  double dt() {
    return dt;
  }

  /** How long its time loop took, without setting up and without pauses. */
  long loopNanos() {
    return loopNanos;
  }

  // Losses

  /** A node has left or died; of no importance if it is not one of this leg. */
  void left(Node node, String reason) {
    if (nodes.contains(node)) {
      losses.put(node.name(), reason);
      lost.completeExceptionally(
          new NodeLostException("node '" + node.name() + "' is lost: " + reason));
    }
  }

  /**
   * A node is going to leave. Waits until this leg has no use for it any more.
   *
   * <p>Who hears of it hears of no loss meanwhile, so this is looked after here.
   */
  void leaving(Node node) {
    if (!nodes.contains(node)) {
      return;
    }
    leavers.add(node.name());
    while (!over.isDone() && nodes.stream().allMatch(Node::isAlive)) {
      try {
        over.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // Once more.
      } catch (ExecutionException e) {
        throw new AssertionError(e); // it never fails
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** The names of its nodes that are going to leave. */
  Set<String> leavers() {
    return leavers;
  }

  /** Its nodes may go: nothing of it is there that the next one needs. */
  void release() {
    over.complete(null);
  }

  /** Waits until it is known who was lost; returns the reasons by the names of the nodes. */
  Map<String, String> awaitLosses() {
    lost.exceptionally(loss -> null).join();
    return Map.copyOf(losses);
  }

  // Setting up

  /**
   * Brings the sub-domains to the point to go on from. Waits until all are there.
   *
   * @param point {@code null} for the beginning
   * @param gallery where the sub-domains show themselves; {@code null} for nowhere
   * @throws NodeLostException or another exception if a node is lost meanwhile
   */
  void prepare(
      RunPosition point, StateArchive archive, FrameAssembler gallery, RunOptions options) {
    from = point == null ? 0 : point.step();
    collector =
        ActiveObjects.here()
            .create(
                RunCollector.class,
                cut.parts().size(),
                from,
                point == null ? List.of() : point.asOfRun(options.steps()).samples(),
                options.steps(),
                RunPosition.ENERGY_EVERY,
                options.checkpointEvery());
    isShown = gallery != null;
    var all = placed(options);
    solvers = Group.of(all);
    if (!problem.setup().gauges().isEmpty()) {
      collector.watch(problem.setup().gauges(), point == null ? List.of() : point.series());
      all.watch(problem.setup().gauges());
    }
    all.meet(all, collector);
    dt = StepBound.unprovedStep(awaited(collector.stableStepBound()), options.cfl());
    var ready = collector.allReady();
    if (point == null && problem.start() instanceof InitialFields.Kept) {
      all.startFrom(dt, archive, RunPosition.ENERGY_EVERY, options.steps());
    } else if (point == null) {
      all.start(dt, problem.start(), RunPosition.ENERGY_EVERY, options.steps());
    } else {
      requireSameStep(point);
      all.resume(dt, from, archive, RunPosition.ENERGY_EVERY, options.steps());
    }
    awaited(ready);
    if (isShown) {
      open(gallery);
    }
  }

  private void open(FrameAssembler gallery) {
    BoundingBox bounds = awaited(solvers.ask(SubDomainSolver::bounds).reduce(BoundingBox::and));
    var view = gallery.begin(bounds, cut.parts().size());
    gallery.divided(answers(each -> each.locate(view)));
    answers(each -> each.showTo(gallery));
    collector.shows(view.isLive());
  }

  private SubDomainSolver placed(RunOptions options) {
    try {
      return Groups.on(nodes)
          .placed(Placement.roundRobin(cut.parts().size()))
          .create(
              options.solver(),
              Scatter.of(cut.parts()),
              problem.physicsOnMesh(),
              problem.order(),
              Scatter.of(threads(options)),
              isShown);
    } catch (GroupCallException failure) {
      throw unchecked(failure.failures().firstEntry().getValue());
    }
  }

  /**
   * How many threads each sub-domain gets; unless told, the processors of its machine are shared.
   */
  private List<Integer> threads(RunOptions options) {
    var hosts = new ArrayList<String>(); // of the sub-domains, as they are placed
    for (var rank = 0; rank < cut.parts().size(); rank++) {
      hosts.add(nodes.get(rank % nodes.size()).host());
    }
    var threads = new ArrayList<Integer>();
    for (var rank = 0; rank < hosts.size(); rank++) {
      var processors = nodes.get(rank % nodes.size()).processors().orElse(1);
      var share = processors / Collections.frequency(hosts, hosts.get(rank));
      threads.add(
          options.threads() == RunOptions.ALL_THREADS ? Math.max(1, share) : options.threads());
    }
    return threads;
  }

  private void requireSameStep(RunPosition point) {
    if (dt != point.dt()) {
      throw new CheckpointException(
          "the state of step %d has time steps of %s, this mesh has %s; begin anew"
              .formatted(point.step(), point.dt(), dt));
    }
  }

  // Running

  /** Lets the sub-domains go; returns at once. */
  CompletableFuture<Integer> start(StateArchive archive, int pauseAt) {
    began = System.nanoTime();
    collector.pauseAt(pauseAt);
    end = collector.run(solvers.all(), archive, dt);
    return end;
  }

  /** Says whether it has ended, one way or another. */
  boolean isOver() {
    return end.isDone() || lost.isDone();
  }

  /** Waits for the step that it ended with. */
  int end() {
    try {
      return awaited(end);
    } finally {
      loopNanos = System.nanoTime() - began - collector.pausedNanos();
    }
  }

  void pauseAt(int step) {
    collector.pauseAt(step);
  }

  void stop() {
    collector.stop();
  }

  /** Has the state saved at the next step at which that can be, and ends there. */
  void yieldToNext(String why) {
    yielding = why;
    collector.yieldToNext();
  }

  boolean isYielding() {
    return !yielding.isEmpty();
  }

  /** Why it is to yield; empty if it is not. */
  String yielding() {
    return yielding;
  }

  RunCollector.Progress progress() {
    return collector.progress();
  }

  /** What was measured so far; see {@link RunCollector#series}. */
  List<double[]> series() {
    return collector.series();
  }

  /** All that was measured so far, of a leg that was prepared; kept when it is dissolved. */
  CompletableFuture<RunCollector.Measured> measured() {
    var kept = measured;
    return kept == null ? ActiveObjects.ref(collector).ask(RunCollector::measured) : kept;
  }

  /** The step that all sub-domains have passed. */
  int reached() {
    return collector == null ? from : progress().step();
  }

  // At the end

  /** What there is to tell of its sub-domains. */
  record Results(
      MeshSize size,
      List<SubDomainSolver.Cost> costs,
      RunCollector.Energies energies,
      List<double[]> series,
      FieldErrors errors) {}

  /** Asks the sub-domains what there is to tell. Waits for them. */
  Results results() {
    if (isShown) {
      answers(SubDomainSolver::showEnd);
    }
    MeshSize size = awaited(solvers.ask(SubDomainSolver::size).reduce(MeshSize::plus));
    return new Results(
        size, answers(SubDomainSolver::cost), collector.energies(), collector.series(), errors());
  }

  private FieldErrors errors() {
    if (!(problem.start() instanceof InitialFields.Cavity cavity)) {
      return null;
    }
    return awaited(solvers.ask(each -> each.errors(cavity)).reduce(FieldErrors::merge));
  }

  /** The fingerprint of all fields, the same for every division. */
  long checksum() {
    return awaited(solvers.ask(SubDomainSolver::checksum).reduce(Long::sum));
  }

  /** Ends what is left of it, and waits until that has gone, so that its memory is free. */
  void dissolve() {
    if (solvers != null) {
      var gone =
          solvers.stream()
              .map(each -> ActiveObjects.ref(each).terminateNow().exceptionally(failure -> null))
              .toArray(CompletableFuture<?>[]::new);
      CompletableFuture.allOf(gone).join();
    }
    if (collector != null) {
      measured = measured();
      ActiveObjects.ref(collector).terminate();
    }
  }

  /** Asks all sub-domains at the same time and gives their answers in rank order. */
  private <R> List<R> answers(Ref.Asked<SubDomainSolver, R> question) {
    try {
      return solvers.ask(question).toList();
    } catch (GroupCallException failure) {
      throw unchecked(failure.failures().firstEntry().getValue());
    }
  }

  /** Waits for a result, or for the loss of a node without which it cannot come. */
  private <R> R awaited(CompletableFuture<R> result) {
    try {
      CompletableFuture.anyOf(result, lost).join();
      return result.join();
    } catch (CompletionException failure) {
      throw unchecked(failure.getCause());
    }
  }

  private static RuntimeException unchecked(Throwable failure) {
    return failure instanceof RuntimeException known
        ? known
        : new CompletionException(failure.getMessage(), failure);
  }
}
