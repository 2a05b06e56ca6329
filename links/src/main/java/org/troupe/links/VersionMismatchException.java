package org.troupe.links;

import java.io.IOException;

/** The peer knows the secret, but has no wire version in common with this process. */
public final class VersionMismatchException extends IOException {

  private static final long serialVersionUID = 1L;

  public VersionMismatchException(String message) {
    super(message);
  }
}
