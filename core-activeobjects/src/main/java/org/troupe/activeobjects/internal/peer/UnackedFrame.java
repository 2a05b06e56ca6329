package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.Frame;

/** An ordered frame that the other node may not have yet. */
public final class UnackedFrame {

  private Frame frame; // under the lock of the outbox, once it can be sent by others
  private long number; // under that lock
  private boolean usesLink; // or may; under that lock
  private volatile boolean exchanged;
  private boolean leavesArrays; // set before it is sent, then under that lock
  private boolean isLent; // its sender sends it, and wants its arrays back; under that lock
  private final CallMethod oneWayCall; // for the failure handler, if it is lost; null for others
  private final Body caller;
  private final int calls; // in this frame

  UnackedFrame(long number, Frame frame, CallMethod oneWayCall, Body caller, int calls) {
    this.number = number;
    this.frame = frame;
    this.oneWayCall = oneWayCall;
    this.caller = caller;
    this.calls = calls;
  }

  Frame frame() {
    return frame;
  }

  /** It is sent as another frame from now on. */
  void becomes(Frame other) {
    frame = other;
  }

  long number() {
    return number;
  }

  /** The exchange that it went with no longer uses it. */
  void exchanged() {
    exchanged = true;
  }

  /** It goes over the link, or may. */
  void usesLink() {
    usesLink = true;
  }

  /** When it has arrived, nobody needs its arrays any more. */
  void leavesArrays() {
    leavesArrays = true;
  }

  /** Whoever keeps it no longer does: its arrays, if nobody needs them, are for others. */
  void arrived() {
    if (leavesArrays) { // and it does no harm if they change while it goes once more
      frame.arrays().forEach(ArrayPool::put);
    }
  }

  boolean isBorrowed() {
    return isLent;
  }

  void markBorrowed(boolean isSo) {
    isLent = isSo;
  }

  /** Says whether nobody uses its header, nor has it anything else. */
  boolean isSpare() {
    return exchanged && !usesLink && frame.body().length == 0 && frame.arrays().isEmpty();
  }

  /** The same as another message, which its header has become. */
  UnackedFrame again(long itsNumber) {
    number = itsNumber;
    exchanged = false;
    return this;
  }

  Body caller() {
    return caller;
  }

  CallMethod oneWayCall() {
    return oneWayCall;
  }

  int calls() {
    return calls;
  }
}
