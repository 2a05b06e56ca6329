package org.troupe.deployment.batch;

/** The states of a job that DRMAA 1 distinguishes, with its numbers for them. */
public enum JobState {
  /** Also of a state that a later version of a batch system has added. */
  UNDETERMINED(0x00, "in a state that the DRMAA library does not report"),
  QUEUED(0x10, "queued"),
  HELD_BY_SYSTEM(0x11, "held by the system"),
  HELD_BY_USER(0x12, "held by its user"),
  HELD_BY_BOTH(0x13, "held by its user and the system"),
  RUNNING(0x20, "running"),
  SUSPENDED_BY_SYSTEM(0x21, "suspended by the system"),
  SUSPENDED_BY_USER(0x22, "suspended by its user"),
  SUSPENDED_BY_BOTH(0x23, "suspended by its user and the system"),
  DONE(0x30, "finished"),
  FAILED(0x40, "failed");

  private final int number;
  private final String text;

  JobState(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /** Returns the state with a number of DRMAA's C binding. */
  static JobState of(int number) {
    for (var state : values()) {
      if (state.number == number) {
        return state;
      }
    }
    return UNDETERMINED;
  }

  /** Returns the state in words, for batch systems that have none of their own. */
  String text() {
    return text;
  }
}
