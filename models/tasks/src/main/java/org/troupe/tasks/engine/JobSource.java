package org.troupe.tasks.engine;

import org.jspecify.annotations.Nullable;

/** Where an engine looks for jobs that its JVM does not have. Its methods must not block. */
public interface JobSource {

  /**
   * Called by a worker that finds no job in this JVM. Returns one that has come from elsewhere, or
   * asks for one and returns {@code null}; {@link Engine#wake} announces its arrival.
   *
   * @param isIdle whether no frame waits on the worker's stack; else it must not get a repeated
   *     job, which may wait for older ones
   */
  @Nullable Spawn ask(boolean isIdle);

  /** Returns whether {@link #ask} has a job to return. */
  boolean hasArrived();

  /**
   * Called for each fork of a job that is repeated. Returns whether its result comes from where it
   * was begun before; then the departure is ended later.
   */
  boolean claim(JobDeparture fork);

  /** Called by a worker that no longer looks for a job. */
  void searchEnded();

  /** Called by a worker that has shared jobs because it was told that others are hungry. */
  void fed();

  /** Called when there is a job for the nodes that have a label. */
  void offered(String label);

  /** Called when jobs were cancelled, of which some may have {@linkplain JobDeparture departed}. */
  void cancelled();
}
