package org.troupe.mpj.error;

import org.jspecify.annotations.Nullable;

/** Makes the exceptions of one dialect. */
@FunctionalInterface
public interface ExceptionFactory {

  /** Returns the exception for an error. */
  Throwable exception(ErrorClass kind, String sentence, @Nullable Throwable cause);
}
