package org.troupe.deployment.batch;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.JobTemplate;
import org.ggf.drmaa.Session;

/**
 * A DRMAA session that also passes on what the batch system itself says of its jobs. May be shared
 * between threads.
 *
 * <p>Where the batch system cannot be asked just now, every method throws {@link
 * org.ggf.drmaa.DrmCommunicationException} or {@link org.ggf.drmaa.TryLaterException}; the jobs
 * themselves are none the worse.
 */
public interface BatchSystem extends Session {

  /**
   * Asks for the state of several jobs at once.
   *
   * @return those that the batch system knows of; it forgets jobs some time after their end
   */
  Map<String, JobReport> report(Collection<String> jobIds) throws DrmaaException;

  /** Returns what {@link #runJob} would do, as a command or something that reads like one. */
  List<String> submission(JobTemplate job) throws DrmaaException;

  /**
   * Returns what is known of a job's end, without waiting.
   *
   * @throws org.ggf.drmaa.ExitTimeoutException if it has not ended, or its account is not there yet
   * @throws org.ggf.drmaa.InvalidJobException if the batch system does not know it, or no more
   */
  JobEnd end(String jobId) throws DrmaaException;
}
