package org.troupe.activeobjects;

/** The result could never come: its computation waits, in a cycle, for the one who waits for it. */
public final class WaitCycleException extends CallException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public WaitCycleException(String message) {
    super(message);
  }
}
