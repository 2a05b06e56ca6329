package org.troupe.deployment.batch;

import java.time.Duration;
import java.util.List;

/**
 * A batch system. May be shared between threads.
 *
 * <p>If the batch system cannot be reached, every method but {@link #submission} throws {@link
 * BatchException.Away}; this does not affect its jobs.
 */
public interface BatchSystem extends JobMonitor {

  /**
   * Submits a job.
   *
   * @return its id
   * @throws BatchException if the batch system refuses it
   */
  String submit(JobTemplate job) throws BatchException;

  /**
   * Returns whether a job belongs to the run that submits it, so that the run records it and its
   * leftovers can be found by the record.
   */
  default boolean belongsToRuns() {
    return true;
  }

  /** Describes the effect of {@link #submit} as a command, or in the form of one. */
  List<String> submission(JobTemplate job);

  /**
   * Returns how long after its first signal to the processes of a job that it ends the batch system
   * sends the last one, if it reports the end only then; otherwise zero.
   */
  default Duration killDelay() {
    return Duration.ZERO;
  }

  /** Ends a job, whether it waits or runs; returns when the batch system has accepted that. */
  void terminate(String jobId) throws BatchException;
}
