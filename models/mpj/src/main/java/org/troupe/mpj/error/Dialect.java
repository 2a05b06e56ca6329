package org.troupe.mpj.error;

import org.jspecify.annotations.Nullable;

/** Makes the exceptions of one set of bindings. */
@FunctionalInterface
public interface Dialect {

  /** Returns the exception for an error. */
  Throwable exception(ErrorClass kind, String sentence, @Nullable Throwable cause);
}
