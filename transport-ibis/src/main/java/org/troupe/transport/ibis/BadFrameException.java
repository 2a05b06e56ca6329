package org.troupe.transport.ibis;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A peer sent bytes that form no frame; the link cannot be read further. */
final class BadFrameException extends IOException {

  private static final long serialVersionUID = 1;

  BadFrameException(@Nullable String message) {
    super(message);
  }
}
