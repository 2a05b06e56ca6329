package org.troupe.deployment.batch;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A batch system. May be shared between threads.
 *
 * <p>If the batch system cannot be reached, every method but {@link #submission} throws {@link
 * BatchException.Away}; this does not affect its jobs.
 */
public interface BatchSystem {

  /**
   * Submits a job.
   *
   * @return its id
   * @throws BatchException if the batch system refuses it
   */
  String submit(JobTemplate job) throws BatchException;

  /** Describes the effect of {@link #submit} as a command, or in the form of one. */
  List<String> submission(JobTemplate job);

  /**
   * Asks for the state of several jobs at once.
   *
   * @return the states of the jobs that the batch system knows; it forgets jobs some time after
   *     their end
   */
  Map<String, JobReport> report(Collection<String> jobIds) throws BatchException;

  /**
   * Returns the end of a job, without waiting for it.
   *
   * @throws BatchException.NotEnded if the job has not ended, or its accounting record does not
   *     exist yet
   * @throws BatchException.UnknownJob if the batch system does not know the job, or has forgotten
   *     it
   */
  JobEnd end(String jobId) throws BatchException;

  /** Ends a job, whether it waits or runs; returns when the batch system has accepted that. */
  void terminate(String jobId) throws BatchException;
}
