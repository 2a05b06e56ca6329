package org.troupe.activeobjects.internal.peer;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.Frame;

/** An ordered frame that the other node has not acknowledged. */
public final class UnackedFrame {

  private Frame frame; // under the lock of the outbox, once it can be sent by others
  private long number; // under that lock
  private boolean usesLink; // or may; under that lock
  private volatile boolean exchanged;
  private boolean leavesArrays; // set before it is sent, then under that lock
  private boolean isLent; // its sender sends it, and wants its arrays back; under that lock
  private final @Nullable CallMethod
      oneWayCall; // for the failure handler, if it is lost; null for others
  private final @Nullable Body caller;
  private final int calls; // in this frame

  UnackedFrame(
      long number, Frame frame, @Nullable CallMethod oneWayCall, @Nullable Body caller, int calls) {
    this.number = number;
    this.frame = frame;
    this.oneWayCall = oneWayCall;
    this.caller = caller;
    this.calls = calls;
  }

  Frame frame() {
    return frame;
  }

  /** Replaces the frame for later transmissions. */
  void becomes(Frame other) {
    frame = other;
  }

  long number() {
    return number;
  }

  /** Records that the exchange in which it was sent no longer uses it. */
  void exchanged() {
    exchanged = true;
  }

  /** Records that it is or may be sent over the link. */
  void usesLink() {
    usesLink = true;
  }

  /** Records that its arrays are not needed after its arrival. */
  void leavesArrays() {
    leavesArrays = true;
  }

  /** Ends its retention: arrays that are no longer needed return to the pool. */
  void arrived() {
    if (leavesArrays) { // a change during a further transmission does no harm
      frame.arrays().forEach(ArrayPool::put);
    }
  }

  boolean isBorrowed() {
    return isLent;
  }

  void markBorrowed(boolean isSo) {
    isLent = isSo;
  }

  /** Returns whether its header is unused, and it has no other parts. */
  boolean isSpare() {
    return exchanged && !usesLink && frame.body().length == 0 && frame.arrays().isEmpty();
  }

  /** Returns this frame with another number, for the message that its header now contains. */
  UnackedFrame reused(long itsNumber) {
    number = itsNumber;
    exchanged = false;
    return this;
  }

  @Nullable Body caller() {
    return caller;
  }

  @Nullable CallMethod oneWayCall() {
    return oneWayCall;
  }

  int calls() {
    return calls;
  }
}
