package org.troupe.activeobjects;

/**
 * The result, or the room in a queue, could never come: what would bring it waits, in a cycle, for
 * the one that waits for it.
 */
public final class WaitCycleException extends CallException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public WaitCycleException(String message) {
    super(message);
  }
}
