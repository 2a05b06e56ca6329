package org.troupe.deployment.batch;

import java.util.Collection;
import java.util.Map;

/**
 * Answers how jobs are doing. May be shared between threads.
 *
 * <p>If the system that has the jobs cannot be reached, both methods throw {@link
 * BatchException.Away}; this does not affect the jobs.
 */
public interface JobMonitor {

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
}
