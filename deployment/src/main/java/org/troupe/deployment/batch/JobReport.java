package org.troupe.deployment.batch;

import org.ggf.drmaa.Session;

/**
 * How a job is doing.
 *
 * @param status one of DRMAA's, such as {@link Session#QUEUED_ACTIVE}
 * @param text the same in the batch system's words, with its reason: {@code PENDING (Resources)}
 */
public record JobReport(int status, String text) {

  /** Returns whether the job is over. */
  public boolean hasEnded() {
    return status == Session.DONE || status == Session.FAILED;
  }

  /** Returns whether the job has not begun, and may never. */
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
