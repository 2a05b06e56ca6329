package org.troupe.activeobjects;

/**
 * The call was not served: the active object dropped the request from its queue, or the calls of
 * this node that wait to be sent, with callers that do not wait, take too much memory already.
 */
public final class RequestDroppedException extends CallException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public RequestDroppedException(String message) {
    super(message);
  }
}
