package org.troupe.activeobjects;

/**
 * An active object that is kept by its calls did something else when its logged requests were
 * served again than when they were served first. It has stopped, and its store is as it was.
 */
public final class ReplayException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public ReplayException(String message) {
    super(message);
  }
}
