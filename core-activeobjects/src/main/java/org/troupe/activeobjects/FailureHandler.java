package org.troupe.activeobjects;

/**
 * Is told of failures that nobody else hears of: of one-way calls, and of results that were thrown
 * away unused.
 *
 * <p>A class of active objects may implement it for the calls that its own objects make; then it
 * runs as a request of the object. {@link ActiveObjects#onFailure} sets the one of the JVM. Where
 * neither is there, the failure is logged.
 */
@FunctionalInterface
public interface FailureHandler {

  /** Takes note of a failure. */
  void failed(CallFailure failure);

  /**
   * A failure that nobody waits for.
   *
   * @param call what was called, such as {@code Solver.step(double) on node 'n1'}
   * @param cause what it threw, or the error that ended it
   */
  record CallFailure(String call, Throwable cause) {}
}
