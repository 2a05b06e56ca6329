package org.troupe.activeobjects;

/**
 * The call was not served: the active object dropped the request from its queue, or the unsent
 * asynchronous calls of this node exceed their share of memory.
 */
public final class RequestDroppedException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public RequestDroppedException(String message) {
    super(message);
  }
}
