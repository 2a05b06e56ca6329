package org.troupe.activeobjects;

/**
 * Receives failures that no caller can observe: of one-way calls, and of results that were
 * discarded unused.
 *
 * <p>If the class of an active object implements this interface, its instances receive the failures
 * of the calls that they make, as a request of the object. {@link ActiveObjects#onFailure} sets the
 * handler for all other calls of a JVM. Without a handler failures are logged.
 */
@FunctionalInterface
public interface FailureHandler {

  /** Receives a failure. */
  void failed(CallFailure failure);

  /**
   * A failure that no caller can observe.
   *
   * @param call the method and its node, such as {@code Solver.step(double) on node 'n1'}
   * @param cause the exception of the method, or the error that ended the call
   */
  record CallFailure(String call, Throwable cause) {}
}
