package org.troupe.tasks.engine;

import org.jspecify.annotations.Nullable;

/** Where an engine looks for jobs that its JVM does not have. Called by workers; must not block. */
public interface JobSource {

  /**
   * Called by a worker without work; returns a job that has come, or asks for one to be {@linkplain
   * Engine#give given}.
   */
  @Nullable Spawn ask();

  /** Called when jobs of a frame were cancelled, whether or not any of them is elsewhere. */
  void cancelled(Frame frame);
}
