package org.troupe.activeobjects;

import org.jspecify.annotations.Nullable;

/**
 * The root of all failures of calls that distribution causes, beside those of the method itself.
 */
public abstract class CallException extends RuntimeException {

  private static final long serialVersionUID = 1;

  protected CallException(String message) {
    super(message);
  }

  protected CallException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
