package org.troupe.futures;

/**
 * The thread was interrupted while it waited for a result, in a call that declares no {@link
 * InterruptedException}. The thread is still marked as interrupted.
 */
public final class WaitInterruptedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public WaitInterruptedException(String message) {
    super(message);
  }
}
