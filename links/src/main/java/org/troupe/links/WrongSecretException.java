package org.troupe.links;

import java.io.IOException;

/** The peer does not share our secret: it refused our proof, or could not give its own. */
public final class WrongSecretException extends IOException {

  private static final long serialVersionUID = 1L;

  public WrongSecretException(String message) {
    super(message);
  }
}
