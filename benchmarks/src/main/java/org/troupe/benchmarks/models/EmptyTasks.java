package org.troupe.benchmarks.models;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;
import java.util.stream.IntStream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Ref;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.benchmarks.sides.ServerGrid;
import org.troupe.skeletons.Flow;
import org.troupe.skeletons.Skeletons;
import org.troupe.tasks.Scope;
import org.troupe.tasks.Tasks;

/** Executes tasks that return a number at once, in microseconds per task. */
final class EmptyTasks implements TurnProtocol.Loads {

  /** Inputs of a farm. */
  static final String FARM = "farm";

  /** Tasks that one task forks. */
  static final String TASKS = "tasks";

  /** Calls of an object on each node, in turn; all are begun before the first is awaited. */
  static final String ASKS = "asks";

  /** Tasks that are submitted to a pool; all are submitted before the first is awaited. */
  static final String SUBMITS = "submits";

  /** Tasks that one task of a pool forks. */
  static final String FORKS = "forks";

  private static final int WORKERS = 2;

  /** So many that a farm has found its batches. */
  private static final int TASKS_AT_A_TIME = 50_000;

  private final Tasks tasks;
  private final Flow<Integer, Integer> farm;
  private final List<Ref<Callee>> callees;
  private final ForkJoinPool pool = new ForkJoinPool(WORKERS);

  private EmptyTasks(Tasks tasks, List<Node> nodes) {
    this.tasks = tasks;
    farm = Skeletons.<Object, Integer, Integer>farm(Object::new, (_, n) -> n).on(tasks);
    callees =
        nodes.stream()
            .map(node -> ActiveObjects.ref(ActiveObjects.on(node).create(Callee.class)))
            .toList();
  }

  /** Returns its argument. */
  static class Callee {
    int same(int number) {
      return number;
    }
  }

  /** A task of the pool that forks others. */
  private static final class Root extends RecursiveTask<Long> {
    private static final long serialVersionUID = 1;
    private final int forks;

    Root(int forks) {
      this.forks = forks;
    }

    @Override
    protected Long compute() {
      var tasks = IntStream.range(0, forks).mapToObj(n -> ForkJoinTask.adapt(() -> n)).toList();
      invokeAll(tasks);
      return sum(tasks);
    }
  }

  /** The arguments are the duration of a turn, and the number of nodes; 0 for workers here. */
  static void main(String[] arguments) throws Exception {
    var roundMillis = Integer.parseInt(arguments[0]);
    var nodes = Integer.parseInt(arguments[1]);
    if (nodes == 0) {
      try (var tasks = Tasks.here(WORKERS)) {
        TurnProtocol.serve(new EmptyTasks(tasks, List.of()), roundMillis);
      }
    } else {
      try (var grid = ServerGrid.of(nodes);
          var tasks = Tasks.on(grid.all())) {
        TurnProtocol.serve(new EmptyTasks(tasks, grid.nodes()), roundMillis);
      }
    }
  }

  private interface Sum {
    /** Returns the sum of the results of that many tasks, each of which returns its number. */
    long of(int tasks);
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    Sum sum =
        switch (name) {
          case FARM -> this::sumOfInputs;
          case TASKS -> number -> tasks.run(() -> sumOfForks(number));
          case ASKS -> this::sumOfAnswers;
          case SUBMITS -> this::sumOfSubmits;
          case FORKS -> number -> pool.invoke(new Root(number));
          default -> throw new IllegalArgumentException("there is no load '" + name + "'");
        };
    return millis -> TurnProtocol.microsEach(times -> repeat(sum, times), millis) / TASKS_AT_A_TIME;
  }

  private static void repeat(Sum sum, int times) {
    for (var i = 0; i < times; i++) {
      var found = sum.of(TASKS_AT_A_TIME);
      if (found != TASKS_AT_A_TIME * (TASKS_AT_A_TIME - 1L) / 2) {
        throw new AssertionError("empty tasks gave the sum " + found);
      }
    }
  }

  private long sumOfInputs(int inputs) {
    var sum = new long[1];
    farm.each(() -> IntStream.range(0, inputs).iterator(), result -> sum[0] += result);
    return sum[0];
  }

  private static long sumOfForks(int forks) {
    try (var scope = Scope.open()) {
      var forked = IntStream.range(0, forks).mapToObj(n -> scope.fork(() -> n)).toList();
      scope.sync();
      return forked.stream().mapToLong(each -> each.get()).sum();
    }
  }

  private long sumOfAnswers(int calls) {
    List<CompletableFuture<Integer>> answers = new ArrayList<>();
    for (var i = 0; i < calls; i++) {
      var number = i;
      answers.add(callees.get(i % callees.size()).ask(callee -> callee.same(number)));
    }
    return answers.stream().mapToLong(CompletableFuture::join).sum();
  }

  private long sumOfSubmits(int tasks) {
    return sum(IntStream.range(0, tasks).mapToObj(n -> pool.submit(() -> n)).toList());
  }

  private static long sum(List<ForkJoinTask<Integer>> tasks) {
    return tasks.stream().mapToLong(ForkJoinTask::join).sum();
  }
}
