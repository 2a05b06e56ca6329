package org.troupe.links.handshake;

import java.io.IOException;

/**
 * Ends the handshake with a stranger. Without a stack trace: strangers choose how many there are.
 */
public final class RefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  public final RefusalCause refusal;

  public RefusedException(RefusalCause refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
