package org.troupe.tasks;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Frame;
import org.troupe.tasks.engine.Spawn;

/**
 * A task that a {@link Scope} has forked. Its result is there when the scope has waited for it. To
 * be used by the thread of its scope only.
 *
 * @param <V> the type of the result
 */
@SuppressWarnings("exports") // the engine is for models; users need not name its types
public final class Fork<V extends @Nullable Object> extends Spawn {

  private final Task<? extends V> task;
  private final transient @Nullable Scope scope;
  private final transient @Nullable Consumer<? super V> handler;
  private transient @Nullable V value;

  Fork(Task<? extends V> task, @Nullable Scope scope, @Nullable Consumer<? super V> handler) {
    this.task = task;
    this.scope = scope;
    this.handler = handler;
  }

  /**
   * Returns the result.
   *
   * @throws IllegalStateException before the scope has waited for it, and if the task has failed or
   *     was cancelled; its cause is the failure
   */
  public V get() {
    requireDone();
    return value();
  }

  /** Returns how the task failed; empty if it did not, or has not been waited for. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failureIfAny());
  }

  /** Returns whether the task was cancelled before it could end, as far as its scope knows. */
  public boolean isCancelled() {
    return wasCancelled();
  }

  @Override
  protected void execute() throws Exception {
    value = task.run();
  }

  @Override
  protected @Nullable Object outcome() {
    return value;
  }

  @Override
  @SuppressWarnings("unchecked") // the result of a copy of this task
  protected void setOutcome(@Nullable Object outcome) {
    value = (V) outcome;
  }

  @Override
  protected void ended(@Nullable Throwable failure) throws Throwable {
    if (failure == null) {
      if (handler != null) {
        handler.accept(value());
      }
    } else if (scope == null || !scope.keepsFailures()) {
      throw failure;
    }
  }

  @Override
  protected List<StackTraceElement> forkLines(Frame forkedBy) {
    return ForkSites.ofTask(task);
  }

  @Override
  protected Throwable failure(Spawn job, Throwable failure) {
    return TaskFailedException.unchecked(failure);
  }

  @SuppressWarnings("NullAway") // null only if V admits it
  private V value() {
    return value;
  }
}
