package org.troupe.tasks;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.Frame;
import org.troupe.tasks.engine.Spawn;

/**
 * Forks tasks and waits for them. No task outlives the scope that has forked it.
 *
 * <p>A scope belongs to the call that opened it, within a task, and to its thread. It is meant for
 * a {@code try} statement with resources, at whose end it waits for its tasks.
 */
@SuppressWarnings("exports") // the engine is for models; users need not name its types
public final class Scope extends Frame implements AutoCloseable {

  /** The effect of a failure of a task on the other tasks of the scope. */
  public enum Failures {
    /** They go on; each {@link Fork} tells its outcome. */
    KEEP
  }

  private final Thread owner;
  private boolean keeps;
  private boolean closed;

  private Scope(Thread owner) {
    this.owner = owner;
  }

  /**
   * Opens a scope of the current call.
   *
   * @throws IllegalStateException if this thread executes no task
   */
  public static Scope open() {
    var thread = Thread.currentThread();
    if (Engine.current() == null) {
      throw new IllegalStateException(
          "thread '"
              + thread.getName()
              + "' executes no task; open scopes within a task, which Tasks.run begins");
    }
    return new Scope(thread);
  }

  /**
   * Returns whether workers look for work, so that it is worth to fork more, smaller tasks. {@code
   * false} if this thread executes no task.
   */
  public static boolean hungry() {
    return Engine.isHungry();
  }

  /** Forks a task, which from now on may be executed by any worker. */
  public <V extends @Nullable Object> Fork<V> fork(Task<? extends V> task) {
    check("fork");
    return forkJob(new Fork<>(task, this, null));
  }

  /**
   * Forks a task whose result goes to a handler. The handler runs on the thread of this scope, in
   * {@link #sync}, one at a time with other handlers, when the result has come. It may fork more,
   * cancel, or throw, which counts as a failure of the scope.
   */
  public <V extends @Nullable Object> Fork<V> fork(
      Task<? extends V> task, Consumer<? super V> handler) {
    check("fork");
    return forkJob(new Fork<>(task, this, handler));
  }

  /**
   * Forks a task that only workers of nodes with a label execute, which {@link Tasks#label} gives.
   * The tasks that it forks itself may be executed by any worker.
   *
   * @throws IllegalArgumentException if no node has the label; the message names those that there
   *     are. If the last node with the label is lost later, the task fails with it.
   */
  public <V extends @Nullable Object> Fork<V> fork(String label, Task<? extends V> task) {
    check("fork");
    return forkJob(new Fork<>(task, this, null), label);
  }

  /**
   * Forks a task as {@link #fork(String, Task)} does, whose result goes to a handler as that of
   * {@link #fork(Task, Consumer)}.
   */
  public <V extends @Nullable Object> Fork<V> fork(
      String label, Task<? extends V> task, Consumer<? super V> handler) {
    check("fork");
    return forkJob(new Fork<>(task, this, handler), label);
  }

  /**
   * Waits for all tasks of this scope, and executes tasks meanwhile: its own first, then others'.
   * The first failure cancels the other tasks. When all have ended, it is thrown: an unchecked
   * exception as it is, a checked one as the cause of a {@link TaskFailedException}; later failures
   * are suppressed. Its trace ends with the line of the fork, if class files show it.
   */
  public void sync() {
    check("sync");
    joinForks();
  }

  /**
   * Waits for all tasks of this scope, whether they fail or not. Each {@link Fork} tells its
   * outcome. Throws only what a handler has thrown.
   */
  public void sync(Failures failures) {
    check("sync");
    keeps = failures == Failures.KEEP;
    try {
      joinForks();
    } finally {
      keeps = false;
    }
  }

  /**
   * Cancels all tasks that this scope has forked so far, and all that these have forked,
   * everywhere. Returns at once. Tasks that have not begun are removed; running ones end at their
   * next fork, sync or {@link Tasks#checkpoint}. Their results are dropped, and their side effects
   * remain. Tasks forked later are not concerned.
   */
  public void cancel() {
    check("cancel");
    cancelForks();
  }

  /**
   * Waits for the tasks of this scope as {@link #sync} does, unless it has waited for them. It
   * cannot know whether an exception has ended the {@code try} statement; then its tasks are
   * completed first, so a caller that expects exceptions and long tasks calls {@link #cancel}.
   */
  @Override
  public void close() {
    if (!closed) {
      check("close");
      try {
        joinForks();
      } finally {
        closed = true;
      }
    }
  }

  boolean keepsFailures() {
    return keeps;
  }

  @Override
  protected Throwable failure(Spawn job, Throwable failure) {
    return TaskFailedException.unchecked(failure);
  }

  private void check(String method) {
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException(
          method
              + " of a scope of thread '"
              + owner.getName()
              + "' on thread '"
              + Thread.currentThread().getName()
              + "'; a scope belongs to the call that opened it, so open another one here");
    }
    if (closed) {
      throw new IllegalStateException(method + " of a closed scope; open another one");
    }
  }
}
