package org.troupe.deployment.files;

import java.io.IOException;

/** A file could not be written; the message names the file, the reason and the remedy. */
public final class FileWriteException extends IOException {

  private static final long serialVersionUID = 1L;

  FileWriteException(String message, IOException cause) {
    super(message, cause);
  }
}
