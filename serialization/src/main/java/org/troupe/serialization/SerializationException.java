package org.troupe.serialization;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A graph that cannot be encoded or decoded: the message names the object by its path from the root
 * (such as {@code Mesh.faces[3].owner}), the reason and the way out.
 *
 * <p>The only exception that malformed, truncated or hostile bytes cause.
 */
public final class SerializationException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  /** Creates an exception; the message names the failure, its reason and a remedy. */
  public SerializationException(String message) {
    super(message);
  }

  /** Creates an exception with a cause; the message names the failure, its reason and a remedy. */
  public SerializationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
