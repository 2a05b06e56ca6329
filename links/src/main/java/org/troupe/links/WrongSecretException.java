package org.troupe.links;

import java.io.IOException;

/**
 * The peer does not know the secret: it rejected the proof of this process, or gave no valid one.
 */
public final class WrongSecretException extends IOException {

  private static final long serialVersionUID = 1L;

  public WrongSecretException(String message) {
    super(message);
  }
}
