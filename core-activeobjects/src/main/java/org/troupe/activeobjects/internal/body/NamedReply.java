package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.futures.FutureResult;

/**
 * The receiver of the outcome of a call that its caller has numbered. Such a call is served, also
 * if its caller is lost or has given it up: it has a place among the calls of its origin.
 */
public class NamedReply implements ReplyTo {

  /** The node from which a call has come. */
  @FunctionalInterface
  public interface Sender {

    /**
     * Reports that an object will not need the calls of an origin in a range again.
     *
     * @param first the number of the first one; 0 for all up to the last
     */
    void taken(ObjectIdentity object, CallOrigin origin, long first, long last);
  }

  private final CallName name;
  private final Sender sender;
  private final @Nullable ReplyTo receiver;

  /**
   * Creates the receiver of an outcome.
   *
   * @param receiver where it goes; {@code null} for a one-way call from this JVM
   */
  public NamedReply(CallName name, Sender sender, @Nullable ReplyTo receiver) {
    this.name = name;
    this.sender = sender;
    this.receiver = receiver;
  }

  public final CallName name() {
    return name;
  }

  public final Sender sender() {
    return sender;
  }

  /** Returns where the outcome goes; {@code null} for a one-way call from this JVM. */
  public final @Nullable ReplyTo receiver() {
    return receiver;
  }

  @Override
  public void returned(@Nullable Object value) {
    if (receiver != null) {
      receiver.returned(value);
    }
  }

  @Override
  public void threw(Throwable cause) {
    if (receiver != null) {
      receiver.threw(cause);
    }
  }

  @Override
  public final boolean isOneWay() {
    return receiver == null || receiver.isOneWay();
  }

  @Override
  public final boolean isAsynchronous() {
    return receiver != null && receiver.isAsynchronous();
  }

  @Override
  public final boolean isAbandoned() {
    return false;
  }

  @Override
  public void served() {
    if (receiver != null) {
      receiver.served();
    }
  }

  @Override
  public void delegated(FutureResult<?> future) {
    if (receiver != null) {
      receiver.delegated(future);
    }
  }
}
