package org.troupe.tasks;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.EngineSettings;
import org.troupe.tasks.engine.Spawn;
import org.troupe.tasks.nodes.Copies;
import org.troupe.tasks.nodes.GridTasks;
import org.troupe.tasks.nodes.NodeTotals;
import org.troupe.tasks.nodes.Settings;

/**
 * Workers that execute trees of tasks by work stealing. May be shared between threads.
 *
 * <p>{@link #on} uses nodes, {@link #here} only this JVM. A JVM has one worker for each of its
 * processors, or as many as {@code troupe.tasks.workers} says.
 */
public final class Tasks implements AutoCloseable {

  private final Engine engine;
  private final @Nullable GridTasks grid;
  private final Set<String> labels = new HashSet<>(); // without a grid; guarded by itself

  private Tasks(Engine engine, @Nullable GridTasks grid) {
    this.engine = engine;
    this.grid = grid;
  }

  /**
   * Starts workers on nodes, now and on each one that joins the set later. The JVM of the caller
   * has workers, too, if its node belongs to the set, as that of {@link Nodes#here} does, or if
   * there is no other node.
   *
   * <p>A task that is run then travels to a node that has nothing to do, and so do the tasks that
   * it forks. A task whose node is lost is repeated on another one, at most {@code
   * troupe.tasks.retries} times (2).
   *
   * @throws IllegalArgumentException if a property {@code troupe.tasks.*} has no valid value
   */
  public static Tasks on(Nodes nodes) {
    var grid = GridTasks.on(nodes, Settings.ofProperties());
    return new Tasks(grid.engine(), grid);
  }

  /**
   * Starts workers in this JVM.
   *
   * @throws IllegalArgumentException if a property {@code troupe.tasks.*} has no valid value
   */
  public static Tasks here() {
    return here(EngineSettings.ofProperties());
  }

  /**
   * Starts a number of workers in this JVM.
   *
   * @param workers at least 1
   */
  public static Tasks here(int workers) {
    return here(EngineSettings.ofProperties().withWorkers(workers));
  }

  private static Tasks here(EngineSettings settings) {
    return new Tasks(Engine.start("tasks", settings, Copies.ofProperties()), null);
  }

  /**
   * Gives nodes a label, now and each one that joins the set later. Nodes of the set that do not
   * work on these tasks get none. Tasks {@linkplain Scope#fork(String, Task) forked} with the label
   * are executed by nodes that have it; a node may have several. Waits until all nodes know it.
   *
   * <p>For tasks that were started by {@link #here} the label is that of this JVM, if its node
   * belongs to the set, as that of {@link Nodes#here} does.
   *
   * @throws IllegalArgumentException if the label is blank
   */
  public void label(String label, Nodes nodes) {
    if (label.isBlank()) {
      throw new IllegalArgumentException("a label is blank; give a word, such as gpu");
    }
    if (grid != null) {
      grid.label(label, nodes);
    } else if (nodes.list().contains(ActiveObjects.node())) {
      synchronized (labels) {
        labels.add(label);
        engine.setLabels(labels, labels);
      }
    }
  }

  /**
   * Executes a task and waits for its result. An unchecked exception of the task is thrown as it
   * is, a checked one as the cause of a {@link TaskFailedException}.
   *
   * @throws IllegalStateException on a thread that executes a task, which forks instead
   */
  public <V extends @Nullable Object> V run(Task<V> task) {
    return join(submitted(new Fork<V>(task, null, null))).get();
  }

  /** Executes a job and returns its result, as {@link #run(Task)} does. */
  public <V extends @Nullable Object> V run(Job<V> job) {
    return join(submitted(job)).result();
  }

  /** Executes a job and returns its result, as {@link #run(Task)} does. */
  public long run(LongJob job) {
    return join(submitted(job)).result();
  }

  /** Executes a job and returns its result, as {@link #run(Task)} does. */
  public double run(DoubleJob job) {
    return join(submitted(job)).result();
  }

  /**
   * Begins a task and returns at once. The future completes on a worker's thread, with the result
   * or exception of {@link #run(Task)}; its stages should be short. {@linkplain
   * CompletableFuture#cancel Cancelling} it cancels the task, as {@link Scope#cancel} does.
   */
  public <V extends @Nullable Object> CompletableFuture<V> submit(Task<V> task) {
    var result = new CompletableFuture<V>();
    var root = new Fork<V>(task, null, null);
    submitted(root)
        .whenComplete(
            (fork, failure) -> {
              if (failure == null) {
                result.complete(fork.get());
              } else {
                result.completeExceptionally(TaskFailedException.unchecked(failure));
              }
            });
    result.whenComplete(
        (value, failure) -> {
          if (result.isCancelled()) {
            engine.cancel(root);
          }
        });
    return result;
  }

  /**
   * Ends the current task here if it was cancelled; returns otherwise. For tasks that compute for a
   * long time without forking.
   */
  public static void checkpoint() {
    Engine.checkpoint();
  }

  /**
   * Makes a call that waits for something other than tasks, while another worker takes over the
   * processor of this one.
   */
  public static <V extends @Nullable Object> V blocking(Callable<V> call) throws Exception {
    return Engine.blocking(call);
  }

  /**
   * Returns a supplier of one value per worker, made at its first use on that worker. Hold it in a
   * static field, as each JVM has its own.
   */
  public static <V extends @Nullable Object> Supplier<V> local(Supplier<? extends V> made) {
    ThreadLocal<V> values = ThreadLocal.withInitial(made);
    return values::get;
  }

  /** Returns what the workers have done so far. */
  public TaskReport report() {
    if (grid == null) {
      return new TaskReport(List.of(share("here", NodeTotals.of(engine.totals()))));
    }
    return new TaskReport(
        grid.totals().entrySet().stream()
            .map(each -> share(each.getKey(), each.getValue()))
            .toList());
  }

  private static TaskReport.Share share(String node, NodeTotals totals) {
    var own = totals.engine();
    return new TaskReport.Share(
        node,
        own.workers(),
        own.forks(),
        own.attempts() + totals.requests(),
        own.stolen(),
        totals.fromCluster(),
        totals.fromBeyond(),
        own.cancelled(),
        totals.repeated(),
        totals.saved(),
        Duration.ofNanos(own.idleNanos()));
  }

  /** Cancels the tasks that have not ended, and ends the workers. Returns at once. */
  @Override
  public void close() {
    if (grid == null) {
      engine.close();
    } else {
      grid.close();
    }
  }

  private <S extends Spawn> CompletableFuture<S> submitted(S root) {
    return grid == null ? engine.submit(root) : grid.submit(root);
  }

  private <S extends Spawn> S join(CompletableFuture<S> ended) {
    if (Engine.current() != null) {
      throw new IllegalStateException(
          "run waits for a task on a thread that executes one, which might wait for itself; open a"
              + " Scope and fork the task");
    }
    try {
      return ended.join();
    } catch (CompletionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw Unchecked.<RuntimeException>as(TaskFailedException.unchecked(cause));
    }
  }

  /** Throws exceptions without declaring them. */
  private static final class Unchecked {
    @SuppressWarnings("unchecked") // that is the purpose
    static <T extends Throwable> T as(Throwable failure) throws T {
      throw (T) failure;
    }
  }
}
