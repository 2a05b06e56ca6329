package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.observe.TierSwitch;

/**
 * A call from this JVM whose time in the queue is measured, or which has the context of an
 * observer; the others need no fields for that.
 */
final class TimedRequest extends CallRequest {

  private final long accepted; // 0 if it is not timed
  private final byte @Nullable [] context;

  private TimedRequest(
      CallMethod method,
      Object @Nullable [] values,
      @Nullable Payload encoded,
      @Nullable ReplyTo replyTo,
      @Nullable Object caller,
      @Nullable QueuePlace queuePlace,
      long accepted,
      byte @Nullable [] context) {
    super(method, values, encoded, replyTo, caller, queuePlace);
    this.accepted = accepted;
    this.context = context;
  }

  /**
   * Makes a request, which is timed if it is chosen, and has the context of the call that the
   * current thread sends.
   */
  static CallRequest of(
      Body body,
      CallMethod method,
      Object @Nullable [] values,
      @Nullable Payload encoded,
      @Nullable ReplyTo replyTo,
      @Nullable Object caller,
      @Nullable QueuePlace queuePlace) {
    var accepted = TierSwitch.isTiming() ? TierSwitch.accepts(method, body.choosesToTime()) : 0;
    var context = ObserverBinding.isObserved(method) ? ObserverBinding.sending() : null;
    return accepted == 0 && context == null
        ? new CallRequest(method, values, encoded, replyTo, caller, queuePlace)
        : new TimedRequest(method, values, encoded, replyTo, caller, queuePlace, accepted, context);
  }

  @Override
  protected long accepted() {
    return accepted;
  }

  @Override
  public byte @Nullable [] context() {
    return context;
  }
}
