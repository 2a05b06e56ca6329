package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.internal.call.MissingMethod;

/**
 * A numbered call to a logged object that does not have its method. It is refused in its turn, so
 * that its number is taken: later calls of its origin would wait for it.
 */
final class UnservableRequest extends RemoteRequest {

  private static final Object[] NO_ARGUMENTS = {};

  private final String why;

  UnservableRequest(IncomingCalls calls, Message.Request call, long callId, String why) {
    super(calls, call, callId, null, null, MissingMethod.METHOD, NO_ARGUMENTS, null, null, null);
    this.why = why;
  }

  /** {@inheritDoc} Always throws. */
  @Override
  protected void requireServable() {
    throw new ObjectTerminatedException(why);
  }
}
