package org.troupe.em3d;

import java.util.ArrayList;
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
import java.util.function.Function;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Ref;
import org.troupe.em3d.maxwell.FieldErrors;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.mesh.MeshSize;
import org.troupe.em3d.mesh.Part;

/** One run: sub-domains on nodes, and the collector that watches over them. For one thread. */
final class Simulation {

  /** How often, in steps, the energy is summed. */
  static final int REPORT_EVERY = 10;

  private static final long PROGRESS_MILLIS = 250;

  private final Problem problem;
  private final int steps;
  private final Collector collector;
  private final List<SubDomainSolver> solvers = new ArrayList<>();
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
    place(nodes.list());
    List<SubDomainSolver> all = List.copyOf(solvers);
    all.forEach(each -> each.meet(all, collector));
    dt = StepBound.step(awaited(collector.stableStepBound()), cfl);
    var ready = collector.allReady();
    solvers.forEach(each -> each.start(dt, problem.start(), REPORT_EVERY, steps));
    awaited(ready);
  }

  private void place(List<Node> nodes) {
    var created = new ArrayList<CompletableFuture<SubDomainSolver>>();
    for (Part part : problem.parts()) {
      var node = nodes.get(part.rank() % nodes.size());
      created.add(ActiveObjects.on(node).createAsync(SubDomainSolver.class, part, problem.media()));
    }
    created.forEach(each -> solvers.add(awaited(each)));
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
    var end = collector.run(List.copyOf(solvers));
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
    MeshSize size =
        answers(ref -> ref.ask(SubDomainSolver::size)).stream()
            .reduce(MeshSize.NONE, MeshSize::plus);
    int reached = awaited(ActiveObjects.ref(solvers.getFirst()).ask(SubDomainSolver::step));
    var costs = answers(ref -> ref.ask(SubDomainSolver::cost));
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
    return answers(ref -> ref.ask(each -> each.errors(cavity))).stream()
        .reduce(FieldErrors::merge)
        .orElseThrow()
        .relativeE();
  }

  /** The fingerprint of all fields, the same for every division. */
  long checksum() {
    return answers(ref -> ref.ask(SubDomainSolver::checksum)).stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Asks all sub-domains at the same time and gives their answers in rank order. */
  private <R> List<R> answers(Function<Ref<SubDomainSolver>, CompletableFuture<R>> question) {
    var asked = solvers.stream().map(ActiveObjects::ref).map(question).toList();
    return asked.stream().map(this::awaited).toList();
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
