package org.troupe.transport.ibis;

import java.io.IOException;

/** A peer sent what is no frame: its link cannot be read any further. */
final class BadFrameException extends IOException {

  private static final long serialVersionUID = 1;

  BadFrameException(String message) {
    super(message);
  }
}
