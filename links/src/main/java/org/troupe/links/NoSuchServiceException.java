package org.troupe.links;

import java.io.IOException;

/**
 * The peer knows the secret and a common wire version, but does not serve the requested service.
 */
public final class NoSuchServiceException extends IOException {

  private static final long serialVersionUID = 1L;

  public NoSuchServiceException(String message) {
    super(message);
  }
}
