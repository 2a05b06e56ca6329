package org.troupe.em3d;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Ref;
import org.troupe.em3d.maxwell.FieldErrors;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.mesh.MeshSize;
import org.troupe.groups.Group;
import org.troupe.groups.GroupFailure;
import org.troupe.groups.Groups;
import org.troupe.groups.Placement;
import org.troupe.groups.Scatter;

/** One run: sub-domains on nodes, and the collector that watches over them. For one thread. */
final class Simulation {

  /** How often, in steps, the energy is summed. */
  static final int REPORT_EVERY = 10;

  private static final long PROGRESS_MILLIS = 250;

  private final Problem problem;
  private final int steps;
  private final Collector collector;
  private final Group<SubDomainSolver> solvers;
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private double dt;
  private long runNanos;

  /**
   * Places a sub-domain on each node in turn, as many as the problem has parts, and brings them to
   * their beginning.
   *
   * @param cfl the time step as a fraction of the proved bound
   * @throws IllegalArgumentException if the cfl is not positive and at most 1
   */
  Simulation(Problem problem, Nodes nodes, int steps, double cfl) {
    this.problem = problem;
    this.steps = steps;
    nodes.onLeave(this::nodeLeft);
    collector =
        ActiveObjects.here().create(Collector.class, problem.parts().size(), steps, REPORT_EVERY);
    var all = placed(nodes);
    solvers = Group.of(all);
    all.meet(all, collector);
    dt = StepBound.step(awaited(collector.stableStepBound()), cfl);
    var ready = collector.allReady();
    all.start(dt, problem.start(), REPORT_EVERY, steps);
    awaited(ready);
  }

  private SubDomainSolver placed(Nodes nodes) {
    try {
      return Groups.on(nodes)
          .placed(Placement.roundRobin(problem.parts().size()))
          .create(SubDomainSolver.class, Scatter.of(problem.parts()), problem.media());
    } catch (GroupFailure failure) {
      throw cause(failure);
    }
  }

  /** The loss of a node, if that is behind a failure, or what the first sub-domain says. */
  private RuntimeException cause(GroupFailure failure) {
    if (lost.isCompletedExceptionally()) {
      return unchecked(lost.exceptionNow());
    }
    return unchecked(failure.failures().firstEntry().getValue());
  }

  private void nodeLeft(Node node, String reason) {
    lost.completeExceptionally(
        new NodeLostException(
            "the run cannot go on without its sub-domain on " + node + ": " + reason));
  }

  /** The active object that steers the run. */
  Collector collector() {
    return collector;
  }

  /** Runs all steps, or as many as the collector is told. */
  void run(Consumer<Collector.Progress> progress) {
    var began = System.nanoTime();
    var end = collector.run(solvers.all());
    CompletableFuture<Object> endOrLoss = CompletableFuture.anyOf(end, lost);
    while (!isOver(endOrLoss)) {
      progress.accept(collectorsProgress());
    }
    runNanos = System.nanoTime() - began;
    progress.accept(collectorsProgress());
  }

  private static boolean isOver(CompletableFuture<Object> endOrLoss) {
    try {
      endOrLoss.get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }

  private Collector.Progress collectorsProgress() {
    return awaited(ActiveObjects.ref(collector).ask(Collector::progress));
  }

  /** Gathers what there is to tell, after {@link #run}. */
  Report report(String transport, Set<String> drivers) {
    MeshSize size = awaited(solvers.ask(SubDomainSolver::size).reduce(MeshSize::plus));
    int reached = awaited(solvers.one(0, SubDomainSolver::step).returned(0));
    var costs = answers(SubDomainSolver::cost);
    Map<String, Long> memory = new HashMap<>();
    memory.put("", PeakMemory.bytes()); // of this JVM, which no node's name stands for
    costs.forEach(cost -> memory.put(cost.node(), cost.peakRssBytes()));
    var energies = awaited(ActiveObjects.ref(collector).ask(Collector::energies));
    var secondsPerStep = runNanos / 1e9 / reached;
    return new Report(
        problem.mesh(),
        problem.division(),
        size.cells(),
        size.faces(),
        size.borderFaces(),
        solvers.size(),
        memory.size() - 1,
        transport,
        drivers,
        reached,
        dt / Report.SPEED_OF_LIGHT,
        secondsPerStep,
        size.cells() / secondsPerStep,
        energies.first() * Report.VACUUM_PERMITTIVITY,
        energies.drift(),
        errorRelativeL2(),
        size.haloBytesPerStep(),
        costs.stream()
            .mapToDouble(
                cost -> cost.loopNanos() == 0 ? 0 : (double) cost.waitNanos() / cost.loopNanos())
            .average()
            .orElse(0),
        memory.values().stream().mapToLong(Long::longValue).sum(),
        energies.series());
  }

  private Double errorRelativeL2() {
    if (!(problem.start() instanceof Start.Cavity cavity)) {
      return null;
    }
    var errors = solvers.ask(each -> each.errors(cavity));
    return awaited(errors.reduce(FieldErrors::merge)).relativeE();
  }

  /** The fingerprint of all fields, the same for every division. */
  long checksum() {
    return awaited(solvers.ask(SubDomainSolver::checksum).reduce(Long::sum));
  }

  /** Asks all sub-domains at the same time and gives their answers in rank order. */
  private <R> List<R> answers(Ref.Asked<SubDomainSolver, R> question) {
    try {
      return solvers.ask(question).toList();
    } catch (GroupFailure failure) {
      throw cause(failure);
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
