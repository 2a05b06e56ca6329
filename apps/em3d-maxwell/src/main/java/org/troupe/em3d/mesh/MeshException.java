package org.troupe.em3d.mesh;

/**
 * A mesh cannot be used; the message names the file, the place in it, the reason and the remedy.
 */
public final class MeshException extends RuntimeException {

  private static final long serialVersionUID = 1;

  MeshException(String message) {
    super(message);
  }

  MeshException(String message, Throwable cause) {
    super(message, cause);
  }
}
