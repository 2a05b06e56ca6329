package org.troupe.em3d.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.maxwell.FieldErrors;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.mesh.HeapCompaction;
import org.troupe.em3d.mesh.MeshDivision;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.MeshSize;
import org.troupe.em3d.mesh.TetrahedralPart;
import org.troupe.em3d.problem.InitialFields;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.report.RunReport;
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
 * A part of a run with a fixed division: its sub-domains, each on a node, and their collector. A
 * segment ends with the run, when it yields to the next segment, or when one of its nodes is lost.
 *
 * <p>Used by one thread, except for {@link #left} and {@link #leaving}.
 */
final class RunSegment {

  private static final long LOOK_MILLIS = 100;

  private final MaxwellProblem problem;
  private final MaxwellProblem.Partition partition;
  private final List<Node> nodes;
  private final Map<String, String> losses =
      new ConcurrentHashMap<>(); // reasons by the nodes' names
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final Set<String> leavers = new ConcurrentSkipListSet<>(); // by name
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private final RunOptions options;
  private final @Nullable RunPosition position; // null: the start of the run
  private final int from;
  private final RunCollector collector;
  private volatile @Nullable CompletableFuture<RunCollector.Measured>
      measured; // null while the collector exists
  private @Nullable Group<SubDomainSolver> solvers; // null until placed
  private @Nullable MeshServer meshServer; // null for a cube, and until placed
  private CompletableFuture<Integer> end = new CompletableFuture<>(); // replaced by start()
  private String yielding = ""; // the reason; empty if the segment does not yield
  private double dt;
  private boolean isShown;
  private long began;
  private long loopNanos;
  private final long divisionNanos;
  private long placementNanos;
  private long fieldsNanos;

  /**
   * Chooses the nodes, but places no sub-domain yet, so that the caller can register the segment
   * for losses first.
   *
   * @param position {@code null} for the start of the run
   */
  RunSegment(
      MaxwellProblem problem,
      List<Node> there,
      @Nullable RunPosition position,
      RunOptions options) {
    this.problem = problem;
    var divisionBegan = System.nanoTime();
    this.partition = problem.partition(there.size());
    divisionNanos = System.nanoTime() - divisionBegan;
    this.nodes = there.subList(0, Math.min(there.size(), partition.parts().size()));
    this.options = options;
    this.position = position;
    from = position == null ? 0 : position.step();
    collector =
        ActiveObjects.here()
            .create(
                RunCollector.class,
                partition.parts().size(),
                from,
                position == null ? List.of() : position.asOfRun(options.steps()).samples(),
                options.steps(),
                RunPosition.ENERGY_EVERY,
                options.checkpointEvery());
  }

  /** Returns the nodes that hold sub-domains. */
  List<Node> nodes() {
    return nodes;
  }

  MaxwellProblem.Partition partition() {
    return partition;
  }

  int from() {
    return from;
  }

  double dt() {
    return dt;
  }

  /** Returns the duration of the time loop, without set-up and pauses. */
  long loopNanos() {
    return loopNanos;
  }

  // Losses

  /** Reports that a node has left or died; ignored for nodes of other segments. */
  void left(Node node, String reason) {
    if (nodes.contains(node)) {
      losses.put(node.name(), reason);
      lost.completeExceptionally(
          new NodeLostException("node '" + node.name() + "' is lost: " + reason));
    }
  }

  /**
   * Reports that a node is going to leave, and waits until this segment does not need it any more.
   *
   * <p>The thread that delivers this event delivers no losses meanwhile, so this method checks for
   * them.
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
        // Check the nodes again.
      } catch (ExecutionException e) {
        throw new AssertionError(e); // it never fails
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Returns the names of its nodes that are going to leave. */
  Set<String> leavers() {
    return leavers;
  }

  /** Releases its nodes: no state that the next segment needs is left on them. */
  void release() {
    over.complete(null);
  }

  /** Waits for the loss to be reported; returns the reasons by the names of the lost nodes. */
  Map<String, String> awaitLosses() {
    lost.exceptionally(loss -> null).join();
    return Map.copyOf(losses);
  }

  // Setting up

  /**
   * Places the sub-domains and sets their fields for the position. Waits until all are ready.
   *
   * @param assembler takes the frames of the sub-domains; {@code null} for no frames
   * @throws NodeLostException or another exception if a node is lost meanwhile
   */
  void prepare(StateArchive archive, @Nullable FrameAssembler assembler) {
    isShown = assembler != null;
    var placementBegan = System.nanoTime();
    var all = placed();
    solvers = Group.of(all);
    var fieldsBegan = System.nanoTime();
    placementNanos = fieldsBegan - placementBegan;
    if (!problem.setup().monitors().isEmpty()) {
      collector.watch(problem.setup().monitors(), position == null ? List.of() : position.series());
      all.watch(problem.setup().monitors());
    }
    all.meet(all, collector);
    dt = StepBound.unprovedStep(awaited(collector.stableStepBound()), options.cfl());
    var ready = collector.allReady();
    if (position == null && problem.start() instanceof InitialFields.Kept) {
      all.startFrom(dt, archive, RunPosition.ENERGY_EVERY, options.steps());
    } else if (position == null) {
      all.start(dt, problem.start(), RunPosition.ENERGY_EVERY, options.steps());
    } else {
      requireSameStep(position);
      all.resume(dt, from, archive, RunPosition.ENERGY_EVERY, options.steps());
    }
    awaited(ready);
    fieldsNanos = System.nanoTime() - fieldsBegan;
    if (assembler != null) {
      open(assembler);
    }
  }

  private void open(FrameAssembler assembler) {
    BoundingBox bounds = awaited(solvers().ask(SubDomainSolver::bounds).reduce(BoundingBox::and));
    var view = assembler.begin(bounds, partition.parts().size());
    assembler.divided(answers(each -> each.locate(view, assembler)));
    answers(SubDomainSolver::showBegin);
    collector.shows(view.isLive());
  }

  private Group<SubDomainSolver> solvers() {
    return Objects.requireNonNull(solvers, "prepare() comes first");
  }

  private SubDomainSolver placed() {
    try {
      return Groups.on(nodes)
          .placed(Placement.roundRobin(partition.parts().size()))
          .create(
              options.solver(),
              Scatter.of(servedParts()),
              problem.physicsOnMesh(),
              problem.order(),
              Scatter.of(threads()),
              isShown);
    } catch (GroupCallException failure) {
      throw unchecked(failure.failures().firstEntry().getValue());
    }
  }

  /**
   * Returns the parts; those of a mesh from a file with an active object as the source of cells.
   */
  private List<? extends MeshPart> servedParts() {
    if (!(partition.parts().getFirst() instanceof TetrahedralPart part
        && part.source() instanceof MeshDivision division)) {
      return partition.parts();
    }
    HeapCompaction.afterPhase(division.cells()); // the division
    var server = MeshServer.of(division);
    meshServer = server;
    return division.parts().stream().map(each -> each.from(server)).toList();
  }

  /**
   * Returns the threads of each sub-domain: the option, or the processors of a machine divided by
   * its sub-domains.
   */
  private List<Integer> threads() {
    var hosts = new ArrayList<String>(); // of the sub-domains, by rank
    for (var rank = 0; rank < partition.parts().size(); rank++) {
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

  private void requireSameStep(RunPosition position) {
    if (dt != position.dt()) {
      throw new CheckpointException(
          "the state of step %d has time steps of %s, this mesh has %s; start again"
              .formatted(position.step(), position.dt(), dt));
    }
  }

  // Running

  /** Starts the time loop; returns at once. */
  CompletableFuture<Integer> start(StateArchive archive, int pauseAt) {
    began = System.nanoTime();
    collector.pauseAt(pauseAt);
    end = collector.run(solvers().all(), archive, dt);
    return end;
  }

  /** Returns whether the segment has ended, regularly or by a loss. */
  boolean isOver() {
    return end.isDone() || lost.isDone();
  }

  /** Waits for the end; returns the last step. */
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

  /** Saves the state at the next possible step, and ends there. */
  void yieldToNext(String why) {
    yielding = why;
    collector.yieldToNext();
  }

  boolean isYielding() {
    return !yielding.isEmpty();
  }

  /** Returns the reason to yield; empty if the segment does not yield. */
  String yielding() {
    return yielding;
  }

  RunCollector.Progress progress() {
    return collector.progress();
  }

  /** Returns the readings up to now; see {@link RunCollector#series}. */
  List<double[]> series() {
    return collector.series();
  }

  /**
   * Returns the measurements of a prepared segment up to now; available after {@link #dissolve},
   * too.
   */
  CompletableFuture<RunCollector.Measured> measured() {
    var kept = measured;
    return kept == null ? ActiveObjects.ref(collector).ask(RunCollector::measured) : kept;
  }

  /** Returns a step that all sub-domains have passed. */
  int reached() {
    return progress().step();
  }

  // At the end

  /**
   * The results of all sub-domains.
   *
   * @param errorOfE relative L2 error against the exact field; {@code null} if that is not known
   */
  record Results(
      MeshSize size,
      List<SubDomainSolver.Cost> costs,
      RunCollector.Energies energies,
      List<double[]> series,
      @Nullable Double errorOfE) {}

  /** Collects the results of all sub-domains. Waits for them. */
  Results results() {
    if (isShown) {
      answers(SubDomainSolver::showEnd);
    }
    MeshSize size = awaited(solvers().ask(SubDomainSolver::size).reduce(MeshSize::plus));
    return new Results(
        size, answers(SubDomainSolver::cost), collector.energies(), collector.series(), errorOfE());
  }

  /** Returns the parts of the time until the steps of this segment took their usual time. */
  List<RunReport.Phase> phases(Results results) {
    var construction =
        results.costs().stream().mapToLong(SubDomainSolver.Cost::constructionNanos).max().orElse(0);
    return List.of(
        RunReport.Phase.ofNanos("division", divisionNanos),
        RunReport.Phase.ofNanos("shipping", placementNanos - construction),
        RunReport.Phase.ofNanos("construction", construction),
        RunReport.Phase.ofNanos("fields", fieldsNanos),
        RunReport.Phase.ofNanos("warm-up", results.energies().warmUpNanos()));
  }

  private @Nullable Double errorOfE() {
    if (!(problem.start() instanceof InitialFields.Cavity cavity)) {
      return null;
    }
    FieldErrors errors =
        awaited(solvers().ask(each -> each.errors(cavity)).reduce(FieldErrors::merge));
    return errors.relativeE();
  }

  /** Returns the checksum of all fields, which is equal for every division. */
  long checksum() {
    return awaited(solvers().ask(SubDomainSolver::checksum).reduce(Long::sum));
  }

  /** Terminates its active objects, and waits for the sub-domains, so that their memory is free. */
  void dissolve() {
    if (solvers != null) {
      var gone =
          solvers.stream()
              .map(each -> ActiveObjects.ref(each).terminateNow().exceptionally(failure -> null))
              .toArray(CompletableFuture<?>[]::new);
      CompletableFuture.allOf(gone).join();
    }
    if (meshServer != null) {
      ActiveObjects.ref(meshServer).terminate();
    }
    measured = measured();
    ActiveObjects.ref(collector).terminate();
  }

  /** Asks all sub-domains concurrently; returns their answers in rank order. */
  private <R> List<R> answers(Ref.Asked<SubDomainSolver, R> question) {
    try {
      return solvers().ask(question).toList();
    } catch (GroupCallException failure) {
      throw unchecked(failure.failures().firstEntry().getValue());
    }
  }

  /** Waits for a result, or for the loss of a node. */
  private <R> R awaited(CompletableFuture<R> result) {
    try {
      CompletableFuture.anyOf(result, lost).join();
      return result.join();
    } catch (CompletionException failure) {
      throw unchecked(failure.getCause() == null ? failure : failure.getCause());
    }
  }

  private static RuntimeException unchecked(Throwable failure) {
    return failure instanceof RuntimeException known
        ? known
        : new CompletionException(failure.getMessage(), failure);
  }
}
