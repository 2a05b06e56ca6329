package org.troupe.links;

import java.io.IOException;

/** The peer knows our secret, but speaks none of the wire versions that we speak. */
public final class VersionMismatchException extends IOException {

  private static final long serialVersionUID = 1L;

  public VersionMismatchException(String message) {
    super(message);
  }
}
