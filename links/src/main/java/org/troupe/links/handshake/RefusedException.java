package org.troupe.links.handshake;

import java.io.IOException;

/**
 * Ends the handshake with an unauthenticated peer. Has no stack trace, as such peers determine the
 * number of these exceptions.
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
