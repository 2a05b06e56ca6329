package org.troupe.deployment.batch;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.JobTemplate;
import org.ggf.drmaa.Session;

/**
 * A DRMAA session that also reports jobs in the batch system's own words. May be shared between
 * threads.
 *
 * <p>If the batch system cannot be reached, every method throws {@link
 * org.ggf.drmaa.DrmCommunicationException} or {@link org.ggf.drmaa.TryLaterException}; this does
 * not affect its jobs.
 */
public interface BatchSystem extends Session {

  /**
   * Asks for the state of several jobs at once.
   *
   * @return the states of the jobs that the batch system knows; it forgets jobs some time after
   *     their end
   */
  Map<String, JobReport> report(Collection<String> jobIds) throws DrmaaException;

  /** Describes the effect of {@link #runJob} as a command, or in the form of one. */
  List<String> submission(JobTemplate job) throws DrmaaException;

  /**
   * Returns the end of a job, without waiting for it.
   *
   * @throws org.ggf.drmaa.ExitTimeoutException if the job has not ended, or its accounting record
   *     does not exist yet
   * @throws org.ggf.drmaa.InvalidJobException if the batch system does not know the job, or has
   *     forgotten it
   */
  JobEnd end(String jobId) throws DrmaaException;
}
