package org.troupe.deployment.batch;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.ggf.drmaa.JobInfo;

/**
 * The end of a job.
 *
 * @param exitCode the exit code; empty if a signal ended the job, or if the batch system does not
 *     report it
 * @param signal the number or name of the signal that ended it; empty if none did
 * @param aborted whether it ended before it ran
 * @param text the batch system's description: {@code TIMEOUT (it reached its time limit of
 *     00:10:00)}
 */
record JobEnd(
    String jobId, OptionalInt exitCode, Optional<String> signal, boolean aborted, String text)
    implements JobInfo {

  /** Added by shells to the number of the signal that ended a command. */
  static final int SIGNALLED = 128;

  /** Returns the end of a job with an exit code as shells report it. */
  static JobEnd exited(String jobId, int code, String text) {
    return code > SIGNALLED
        ? new JobEnd(
            jobId,
            OptionalInt.empty(),
            Optional.of(Integer.toString(code - SIGNALLED)),
            false,
            text)
        : new JobEnd(jobId, OptionalInt.of(code), Optional.empty(), false, text);
  }

  /** Returns the end of a job without an exit code. */
  static JobEnd unknown(String jobId, String text) {
    return new JobEnd(jobId, OptionalInt.empty(), Optional.empty(), false, text);
  }

  JobEnd with(String otherText) {
    return new JobEnd(jobId, exitCode, signal, aborted, otherText);
  }

  @Override
  public String getJobId() {
    return jobId;
  }

  @Override
  public Map<?, ?> getResourceUsage() {
    return Map.of();
  }

  @Override
  public boolean hasExited() {
    return exitCode.isPresent();
  }

  @Override
  public int getExitStatus() {
    return exitCode.orElseThrow();
  }

  @Override
  public boolean hasSignaled() {
    return signal.isPresent();
  }

  @Override
  public String getTerminatingSignal() {
    return signal.orElseThrow();
  }

  @Override
  public boolean hasCoreDump() {
    return false;
  }

  @Override
  public boolean wasAborted() {
    return aborted;
  }
}
