package org.troupe.em3d.views;

import java.io.IOException;

/** Pictures cannot be drawn on this machine. */
public final class UndrawableException extends IOException {

  private static final long serialVersionUID = 1;

  UndrawableException(Throwable cause) {
    super("pictures cannot be drawn (" + cause + "); install fontconfig and a font", cause);
  }
}
