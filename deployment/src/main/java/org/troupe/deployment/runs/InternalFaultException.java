package org.troupe.deployment.runs;

/**
 * A program could not answer a request because of a mistake of Troupe. The message says so, and
 * where the trace is.
 */
public final class InternalFaultException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param id the id of the deployment
   * @param fault the exception in that program, as text
   */
  InternalFaultException(String id, String fault) {
    super(
        "the program of deployment %s could not answer because of an internal fault of Troupe: %s; its log has the stack trace, with which this is to be reported"
            .formatted(id, fault));
  }
}
