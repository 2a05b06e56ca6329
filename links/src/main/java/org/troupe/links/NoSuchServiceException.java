package org.troupe.links;

import java.io.IOException;

/** The peer knows our secret and our wire version, but does not serve what we asked for. */
public final class NoSuchServiceException extends IOException {

  private static final long serialVersionUID = 1L;

  public NoSuchServiceException(String message) {
    super(message);
  }
}
