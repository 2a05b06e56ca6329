package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;

/** The report of a worker about an input. */
sealed interface Attempt<O extends @Nullable Object> {

  /** A result. */
  record Done<O extends @Nullable Object>(O value) implements Attempt<O> {}

  /** A step has failed. */
  record Failed<O extends @Nullable Object>(int step, Throwable cause) implements Attempt<O> {}
}
