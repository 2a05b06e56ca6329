package org.troupe.activeobjects.internal;

import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The result of a call, in the JVM of the caller. */
final class CallResult extends WatchedResult<Object> implements ReplyTo, Runnable {

  private final Reference<?> target;
  private final CallMethod method;
  private final boolean valueWanted;
  private final StackTraceElement site;

  /** The number by which other nodes know the call, or 0 while they need none. */
  volatile long callId;

  /** What the answer waits for, when the method returned a future in this JVM. */
  volatile FutureResult<?> delegatedTo;

  private boolean forOneOnly;
  private Outcome<Object> arrived; // on the thread that took the answer

  /**
   * Makes the place for a result.
   *
   * @param valueWanted whether the value is of interest, or only that the call was served
   * @param site the line of the call, or {@code null} if the one who waits is at that line
   */
  CallResult(
      NodeRuntime node,
      Reference<?> target,
      CallMethod method,
      boolean valueWanted,
      StackTraceElement site) {
    super(node);
    this.target = target;
    this.method = method;
    this.valueWanted = valueWanted;
    this.site = site;
  }

  /** Notes, before the call is sent, that only the thread that makes the call sees this. */
  void isForOneOnly() {
    forOneOnly = true;
  }

  /** The outcome in a payload; decoded on the thread that uses it. */
  Outcome<Object> decoded(Payload payload) {
    if (!forOneOnly) {
      return copies().decodedLater(payload);
    }
    return payload.reuses()
        ? copies().decodedOnce(payload, method, target.leftovers())
        : copies().decodedOnce(payload);
  }

  /** Returns what settles this with an outcome, when nothing is locked any more. */
  Runnable arrived(Outcome<Object> outcome) {
    arrived = outcome;
    return this;
  }

  @Override
  public void run() {
    settle(arrived);
  }

  @Override
  NodeRuntime node() {
    return target.runtime();
  }

  private Copies copies() {
    return node().copies();
  }

  /** The node that was called, if it is another one; else {@code null}. */
  Peer peer() {
    return target.target() instanceof Reference.Target.Elsewhere elsewhere
        ? elsewhere.home()
        : null;
  }

  /** After how long this ends by itself without an answer; {@code Long.MAX_VALUE} if never. */
  long limitNanos() {
    return node().limitNanos(target, method);
  }

  boolean isLimited() {
    return limitNanos() != Long.MAX_VALUE;
  }

  Reference<?> target() {
    return target;
  }

  CallMethod method() {
    return method;
  }

  boolean isValueWanted() {
    return valueWanted;
  }

  @Override
  StackTraceElement site() {
    return site;
  }

  @Override
  public void returned(Object value) {
    delegatedTo = null; // a chain of futures that have arrived need not stay
    isMadeBy(null);
    if (!valueWanted) {
      settle(new Outcome.Success<>(null));
    } else if (copies().isShareable(value)) {
      settle(new Outcome.Success<>(value));
    } else {
      try {
        settle(decoded(copies().encodeResult(method, value)));
      } catch (RuntimeException failure) {
        threw(failure);
      }
    }
  }

  @Override
  public void threw(Throwable cause) {
    delegatedTo = null;
    settle(node().failures().copied(cause, this));
  }

  @Override
  public boolean isAbandoned() {
    return !isAwaited();
  }

  @Override
  public void delegated(FutureResult<?> future) {
    delegatedTo = future;
    node().cycles().delegated(this, future);
  }

  @Override
  protected void abandoned() {
    var home = peer();
    if (home != null) {
      home.outgoing().abandon(callId);
    }
  }

  @Override
  public String describe() {
    return method + " on node '" + target.nodeName() + "'";
  }
}
