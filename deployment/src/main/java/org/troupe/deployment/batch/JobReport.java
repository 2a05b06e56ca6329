package org.troupe.deployment.batch;

/**
 * The state of a job.
 *
 * @param text the state in the batch system's words, with its reason: {@code PENDING (Resources)}
 */
public record JobReport(JobState state, String text) {

  /** Returns whether the job has ended. */
  public boolean hasEnded() {
    return state == JobState.DONE || state == JobState.FAILED;
  }

  /** Returns the state in one word. */
  String word() {
    return switch (state) {
      case QUEUED, UNDETERMINED -> "queued";
      case HELD_BY_SYSTEM, HELD_BY_USER, HELD_BY_BOTH -> "held";
      case RUNNING -> "running";
      case SUSPENDED_BY_SYSTEM, SUSPENDED_BY_USER, SUSPENDED_BY_BOTH -> "suspended";
      case DONE -> "ended";
      case FAILED -> "failed";
    };
  }

  /** Returns whether the job has not begun. */
  public boolean isWaiting() {
    return switch (state) {
      case QUEUED, HELD_BY_SYSTEM, HELD_BY_USER, HELD_BY_BOTH -> true;
      case UNDETERMINED,
          RUNNING,
          SUSPENDED_BY_SYSTEM,
          SUSPENDED_BY_USER,
          SUSPENDED_BY_BOTH,
          DONE,
          FAILED ->
          false;
    };
  }
}
