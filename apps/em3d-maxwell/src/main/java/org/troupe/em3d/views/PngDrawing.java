package org.troupe.em3d.views;

import java.io.IOException;

/** A drawing without a display, as the bytes of a PNG. */
@FunctionalInterface
interface PngDrawing {

  byte[] draw() throws IOException;

  /**
   * Executes a drawing.
   *
   * @throws UndrawableException if this machine has no font, for which Java throws various
   *     exceptions
   */
  static byte[] of(PngDrawing drawing) throws IOException {
    System.setProperty("java.awt.headless", "true");
    try {
      return drawing.draw();
    } catch (RuntimeException | LinkageError | InternalError e) {
      throw new UndrawableException(e);
    }
  }
}
