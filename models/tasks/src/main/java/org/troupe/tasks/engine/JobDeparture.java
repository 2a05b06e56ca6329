package org.troupe.tasks.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job of this JVM that another node executes. Its frame waits until one of {@link #ended}, {@link
 * #cancelled} and {@link #comeBack} is called, once, on any thread.
 */
public final class JobDeparture {

  private final Engine engine;
  private final Spawn job;
  private final FrameState state;

  JobDeparture(Engine engine, Spawn job) {
    this.engine = engine;
    this.job = job;
    state = job.state();
    state.index = job.index();
    state.isBase = true;
  }

  /** The result of a job that was computed elsewhere. */
  @FunctionalInterface
  public interface Outcome {

    /** Stores the result in the job; an exception is the failure of the job. */
    void storeIn(Spawn job) throws Throwable;
  }

  /** Returns the job. It must be encoded before others hear of it. */
  public Spawn job() {
    return job;
  }

  /** Returns the name of the job. */
  public JobName name() {
    return JobName.of(job);
  }

  /** Returns the label of the nodes that may execute the job; empty: any may. */
  public String label() {
    return state.label == null ? "" : state.label;
  }

  /**
   * Returns whether the job was begun before, on a node that was lost, or is a part of such a job.
   */
  public boolean isRepeated() {
    return Engine.isRepeated(job);
  }

  /** Returns whether the job was cancelled, or one that it is a part of. */
  public boolean isCancelled() {
    return Worker.isCancelled(job);
  }

  /** Ends the job; the thread of its frame then stores the outcome. */
  public void ended(Outcome outcome) {
    state.outcome = outcome;
    if (state.parent != null) {
      engine.finish(job, state);
      return;
    }
    Thread.startVirtualThread(
        () -> {
          state.outcome = null;
          try {
            outcome.storeIn(job);
          } catch (Throwable failure) {
            state.failure = failure;
          }
          engine.finish(job, state);
        });
  }

  /** Ends the job without result, after it was cancelled. */
  public void cancelled() {
    state.failure = Cancellation.INSTANCE;
    engine.finish(job, state);
  }

  /** Lets the job be executed by another worker or node. */
  public void comeBack() {
    engine.give(job);
  }

  /**
   * Lets the job be executed once more, as its node was lost, unless that has happened too often.
   *
   * @param why how the node was lost
   * @param most how often it may be repeated
   * @return whether it is; else {@link #losses} says why not
   */
  public boolean repeat(String why, int most) {
    if (state.losses == null) {
      state.losses = new ArrayList<>();
    }
    state.losses.add(why);
    if (state.losses.size() > most) {
      return false;
    }
    engine.repeats(state);
    engine.give(job);
    return true;
  }

  /** Returns how the nodes were lost that had taken the job. */
  public List<String> losses() {
    return state.losses == null ? List.of() : List.copyOf(state.losses);
  }

  @Override
  public String toString() {
    return describe(job);
  }

  static String describe(@Nullable Spawn job) {
    return job == null ? "a task" : "task " + job.getClass().getName();
  }
}
