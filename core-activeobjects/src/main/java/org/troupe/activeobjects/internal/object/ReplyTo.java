package org.troupe.activeobjects.internal.object;

/** Where the outcome of a served request goes. Called once, on the thread that served. */
public interface ReplyTo {

  /** The method returned; the value is encoded, or found to be immutable, before this returns. */
  void returned(Object value);

  /** The method threw, or could not be called. */
  void threw(Throwable cause);

  /** Says whether anybody waits for the value. */
  default boolean isOneWay() {
    return false;
  }

  /** Says whether the caller has given up, so that the request need not be served. */
  default boolean isAbandoned() {
    return false;
  }

  /** The request was served, with whatever outcome, or refused. */
  default void served(CallRequest request) {}

  /** The value is itself a future: the outcome follows when it arrives. */
  default void delegated(org.troupe.futures.FutureResult<?> future) {}
}
