package org.troupe.em3d.views;

import java.io.IOException;

/** Something that is drawn without a display, as the bytes of a PNG. */
@FunctionalInterface
interface PngDrawing {

  byte[] draw() throws IOException;

  /**
   * Draws it.
   *
   * @throws UndrawableException if this machine has no font to write with, which Java tells in many
   *     ways
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
