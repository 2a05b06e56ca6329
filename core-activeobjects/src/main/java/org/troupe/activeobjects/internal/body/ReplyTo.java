package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;
import org.troupe.futures.FutureResult;

/** Receives the outcome of a served request. Called once, on the thread that served it. */
public interface ReplyTo {

  /**
   * Reports the result of the method; the value is encoded, or found to be immutable, before this
   * returns.
   */
  void returned(@Nullable Object value);

  /** Reports that the method has thrown an exception, or could not be called. */
  void threw(Throwable cause);

  /** Returns whether no caller waits for the value. */
  default boolean isOneWay() {
    return false;
  }

  /** Returns whether the caller is in this JVM and went on with its work before the answer. */
  default boolean isAsynchronous() {
    return false;
  }

  /** Returns whether the caller has given up, so that the request need not be served. */
  default boolean isAbandoned() {
    return false;
  }

  /** Reports that the request was served, with any outcome, or refused. */
  default void served() {}

  /** Reports that the value is itself a future: the outcome follows when it arrives. */
  default void delegated(FutureResult<?> future) {}
}
