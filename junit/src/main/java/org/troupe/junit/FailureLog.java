package org.troupe.junit;

import org.troupe.activeobjects.FailureHandler.CallFailure;

/**
 * The failures of a test that no caller could observe: of one-way calls, and of results that were
 * discarded unused, made from any node. A test that expects one takes it from here; one that is
 * left fails the test. May be shared between threads.
 *
 * <p>The exception of a failure on another JVM arrives as a {@link
 * org.troupe.activeobjects.RemoteFailure} with the name and the message of the original.
 */
public interface FailureLog {

  /**
   * Takes the oldest failure; waits for one for up to ten seconds.
   *
   * @throws AssertionError if there is none in that time
   */
  CallFailure take() throws InterruptedException;
}
