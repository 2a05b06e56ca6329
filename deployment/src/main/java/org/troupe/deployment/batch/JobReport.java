package org.troupe.deployment.batch;

import org.ggf.drmaa.Session;

/**
 * The state of a job.
 *
 * @param status the DRMAA status, such as {@link Session#QUEUED_ACTIVE}
 * @param text the state in the batch system's words, with its reason: {@code PENDING (Resources)}
 */
public record JobReport(int status, String text) {

  /** Returns whether the job has ended. */
  public boolean hasEnded() {
    return status == Session.DONE || status == Session.FAILED;
  }

  /** Returns whether the job has not begun. */
  public boolean isWaiting() {
    return switch (status) {
      case Session.QUEUED_ACTIVE,
          Session.SYSTEM_ON_HOLD,
          Session.USER_ON_HOLD,
          Session.USER_SYSTEM_ON_HOLD ->
          true;
      default -> false;
    };
  }
}
