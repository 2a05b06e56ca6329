package org.troupe.deployment.batch;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The end of a job.
 *
 * @param exitCode the exit code; empty if a signal ended the job, or if the batch system does not
 *     report it
 * @param signal the number or name of the signal that ended it; empty if none did
 * @param wasAborted whether it was deleted, or ended by the batch system, before its own end
 * @param text the batch system's description: {@code TIMEOUT (it reached its time limit of
 *     00:10:00)}
 */
public record JobEnd(
    String jobId, OptionalInt exitCode, Optional<String> signal, boolean wasAborted, String text) {

  /** Added by shells to the number of the signal that ended a command. */
  static final int SIGNALLED = 128;

  /** Returns the end of a job with an exit code as shells report it. */
  public static JobEnd exited(String jobId, int code, String text) {
    return code > SIGNALLED
        ? signalled(jobId, Integer.toString(code - SIGNALLED), text)
        : new JobEnd(jobId, OptionalInt.of(code), Optional.empty(), false, text);
  }

  /** Returns the end of a job by a signal. */
  public static JobEnd signalled(String jobId, String signal, String text) {
    return new JobEnd(jobId, OptionalInt.empty(), Optional.of(signal), false, text);
  }

  /**
   * Returns the end of a job that was deleted, or ended by the batch system. The exit code of its
   * script then has no meaning.
   */
  public static JobEnd aborted(String jobId, String text) {
    return new JobEnd(jobId, OptionalInt.empty(), Optional.empty(), true, text);
  }

  /** Returns the end of a job of which the batch system does not report how it ended. */
  public static JobEnd unknown(String jobId, String text) {
    return new JobEnd(jobId, OptionalInt.empty(), Optional.empty(), false, text);
  }

  /** Returns whether the batch system reports a failure. */
  boolean hasFailed() {
    return wasAborted || signal.isPresent() || exitCode.orElse(0) != 0;
  }

  JobEnd with(String otherText) {
    return new JobEnd(jobId, exitCode, signal, wasAborted, otherText);
  }
}
