package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.observe.TierSwitch;

/** A call from this JVM whose time in the queue is measured; the others need no field for it. */
final class TimedRequest extends CallRequest {

  private final long accepted;

  private TimedRequest(
      CallMethod method,
      Object @Nullable [] values,
      @Nullable Payload encoded,
      @Nullable ReplyTo replyTo,
      @Nullable Object caller,
      @Nullable QueuePlace queuePlace,
      long accepted) {
    super(method, values, encoded, replyTo, caller, queuePlace);
    this.accepted = accepted;
  }

  /** Makes a request, which is timed if it is chosen. */
  static CallRequest of(
      CallMethod method,
      Object @Nullable [] values,
      @Nullable Payload encoded,
      @Nullable ReplyTo replyTo,
      @Nullable Object caller,
      @Nullable QueuePlace queuePlace) {
    var accepted = TierSwitch.accepts(method);
    return accepted == 0
        ? new CallRequest(method, values, encoded, replyTo, caller, queuePlace)
        : new TimedRequest(method, values, encoded, replyTo, caller, queuePlace, accepted);
  }

  @Override
  protected long accepted() {
    return accepted;
  }
}
