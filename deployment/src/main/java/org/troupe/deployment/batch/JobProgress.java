package org.troupe.deployment.batch;

import java.util.List;

/**
 * How far a job has come. Immutable.
 *
 * @param job the id at the batch system; empty before it was submitted
 * @param state {@code planned}, {@code submitting}, {@code queued}, {@code held}, {@code running},
 *     {@code suspended}, {@code ended} or {@code failed}
 * @param reason the state and its reason in the words of the batch system
 * @param submitMillis when it was submitted, in milliseconds since 1970; 0 if it was not
 * @param startMillis when it was first seen to run; 0 if it was not
 * @param endMillis when its end was known; 0 if it is not
 * @param output the last lines that its script has printed
 */
public record JobProgress(
    String job,
    String state,
    String reason,
    long submitMillis,
    long startMillis,
    long endMillis,
    List<String> output) {

  /** Copies the list. */
  public JobProgress {
    output = List.copyOf(output);
  }

  /** Returns whether the job has begun. */
  public boolean hasBegun() {
    return startMillis != 0;
  }
}
