package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The result of a call, in the JVM of the caller. */
public final class CallResult extends ReportedResult<Object> implements ReplyTo, Runnable {

  /*
   * Why ask costs more than a call that waits: 10.7 us against 3.9 (./troupe bench local, d5b4ea5,
   * 2026-11-21). It records its line for traces, which takes about 1 us and can be switched off by
   * troupe.callSites, and its future is completed on a virtual thread of its own, because stages are
   * user code.
   */

  private final Reference<?> target;
  private final CallMethod method;
  private final boolean valueWanted;
  private final StackTraceElement site;

  /** The number by which other nodes know the call, or 0 while they need none. */
  public volatile long callId;

  /** What the answer waits for, when the method returned a future in this JVM. */
  public volatile FutureResult<?> delegatedTo;

  private boolean forOneOnly;
  private Outcome<Object> arrived; // on the thread that took the answer

  /**
   * Makes the place for a result.
   *
   * @param valueWanted whether the value is of interest, or only that the call was served
   * @param site the line of the call, or {@code null} if the one who waits is at that line
   */
  public CallResult(
      NodeObjects node,
      Reference<?> target,
      CallMethod method,
      boolean valueWanted,
      StackTraceElement site) {
    super(node.waiting());
    this.target = target;
    this.method = method;
    this.valueWanted = valueWanted;
    this.site = site;
  }

  /** Notes, before the call is sent, that only the thread that makes the call sees this. */
  public void expectSingleReader() {
    forOneOnly = true;
  }

  /** The outcome in a payload; decoded on the thread that uses it. */
  public Outcome<Object> decoded(Payload payload) {
    if (!forOneOnly) {
      return copies().decodedLater(payload);
    }
    return payload.reuses()
        ? copies().decodedOnce(payload, method, target.leftovers())
        : copies().decodedOnce(payload);
  }

  /** Returns what settles this with an outcome, when nothing is locked any more. */
  public Runnable settleLater(Outcome<Object> outcome) {
    arrived = outcome;
    return this;
  }

  @Override
  public void run() {
    settle(arrived);
  }

  @Override
  NodeObjects node() {
    return target.runtime();
  }

  private Marshaller copies() {
    return node().copies();
  }

  /** The node that was called, if it is another one; else {@code null}. */
  public RemoteNode peer() {
    return target.target() instanceof Reference.Target.Elsewhere elsewhere
        ? elsewhere.home()
        : null;
  }

  /** After how long this ends by itself without an answer; {@code Long.MAX_VALUE} if never. */
  public long limitNanos() {
    return node().calls().limitNanos(target, method);
  }

  public boolean isLimited() {
    return limitNanos() != Long.MAX_VALUE;
  }

  public Reference<?> target() {
    return target;
  }

  public CallMethod method() {
    return method;
  }

  public boolean isValueWanted() {
    return valueWanted;
  }

  @Override
  public StackTraceElement site() {
    return site;
  }

  @Override
  public void returned(Object value) {
    delegatedTo = null; // a chain of futures that have arrived need not stay
    madeBy(null);
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
    var failures = copies().failures();
    settle(failures.outcome(failures.encode(cause), site));
  }

  @Override
  public boolean isAbandoned() {
    return !isAwaited();
  }

  @Override
  public void delegated(FutureResult<?> future) {
    delegatedTo = future;
    node().delegations().delegated(this, future);
  }

  @Override
  public void abandoned() {
    var home = peer();
    if (home != null) {
      home.abandon(callId);
    }
  }

  @Override
  public String describe() {
    return method + " on node '" + target.nodeName() + "'";
  }
}
