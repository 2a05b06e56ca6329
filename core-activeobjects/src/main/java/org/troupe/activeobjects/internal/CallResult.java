package org.troupe.activeobjects.internal;

import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The result of a call, in the JVM of the caller. */
final class CallResult extends FutureResult<Object> implements ReplyTo, Runnable {

  private final NodeRuntime node;
  private final Reference<?> target;
  private final CallMethod method;
  private final boolean valueWanted;
  private final StackTraceElement site;

  /** For a call to another node: the key under which that node knows the call. */
  volatile Peer peer;

  long callId;

  /** What the answer waits for, when the method returned a future in this JVM. */
  volatile FutureResult<?> delegatedTo;

  private volatile Failures.Watch watch;

  /** Who made the call, as long as it may have to hear of a failure that nobody claims. */
  private volatile Body caller;

  private long limitNanos = Long.MAX_VALUE;
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
    this.node = node;
    this.target = target;
    this.method = method;
    this.valueWanted = valueWanted;
    this.site = site;
  }

  /**
   * Notes the circumstances, before the call is sent.
   *
   * @param body who makes the call, or {@code null}
   * @param nanos after which it ends by itself without an answer; {@code Long.MAX_VALUE} if never
   */
  void isMadeBy(Body body, long nanos) {
    caller = body;
    limitNanos = nanos;
  }

  /** Notes, before the call is sent, that only the thread that makes the call sees this. */
  void isForOneOnly() {
    forOneOnly = true;
  }

  /** The outcome in a payload; decoded on the thread that uses it. */
  Outcome<Object> decoded(Payload payload) {
    if (!forOneOnly) {
      return node.copies().decodedLater(payload);
    }
    return payload.reuses()
        ? node.copies().decodedOnce(payload, method, target.leftovers())
        : node.copies().decodedOnce(payload);
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

  long limitNanos() {
    return limitNanos;
  }

  boolean isLimited() {
    return limitNanos != Long.MAX_VALUE;
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

  StackTraceElement site() {
    return site;
  }

  @Override
  public void returned(Object value) {
    delegatedTo = null; // a chain of futures that have arrived need not stay
    caller = null;
    if (!valueWanted) {
      settle(new Outcome.Success<>(null));
    } else if (node.copies().isShareable(value)) {
      settle(new Outcome.Success<>(value));
    } else {
      try {
        settle(decoded(node.copies().encodeResult(method, value)));
      } catch (RuntimeException failure) {
        threw(failure);
      }
    }
  }

  @Override
  public void threw(Throwable cause) {
    delegatedTo = null;
    settle(node.failures().copied(cause, this));
  }

  @Override
  public boolean isAbandoned() {
    return !isAwaited();
  }

  @Override
  public void delegated(FutureResult<?> future) {
    delegatedTo = future;
    node.cycles().delegated(this, future);
  }

  @Override
  protected void abandoned() {
    var home = peer;
    if (home != null) {
      home.abandon(callId);
    }
  }

  @Override
  protected void endedUnseen(Outcome<Object> outcome) {
    if (!isClaimed() && Failures.isFailure(outcome)) {
      watch = node.failures().watch(this, caller, outcome);
      if (isClaimed()) {
        watch.claimed();
      }
    }
  }

  @Override
  public void claim() {
    super.claim();
    caller = null;
    var watched = watch;
    if (watched != null) {
      watched.claimed();
    }
  }

  @Override
  public String describe() {
    return method + " on node '" + target.nodeName() + "'";
  }
}
