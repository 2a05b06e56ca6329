package org.troupe.activeobjects;

/**
 * A deadlock: the awaited result, or the awaited space in a bounded queue, depends in a cycle on
 * the waiting call itself.
 */
public final class WaitCycleException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public WaitCycleException(String message) {
    super(message);
  }
}
