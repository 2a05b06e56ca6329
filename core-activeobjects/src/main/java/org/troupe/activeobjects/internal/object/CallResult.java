package org.troupe.activeobjects.internal.object;

import java.lang.StackWalker.StackFrame;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.FailureReporter;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.body.ReportedResult;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The result of a call, in the JVM of the caller. */
public final class CallResult extends ReportedResult<Object> implements ReplyTo, Runnable {

  /*
   * Measured: the cost of ask
   *
   * An ask whose caller joins it at once took 4.4 to 5.2 us with a stack walk for the source line of its call, and
   * 1.4 to 1.7 without, in turns on a busy machine (fa949661 and with AskSite, two cores of an EPYC, 2026-11-26). The future is
   * completed by the thread that joins it, else on a separate virtual thread, because stages are user code.
   */

  @SuppressWarnings("NullAway") // the value of a call that returns null, or only ends
  private static final Outcome<Object> NO_VALUE = new Outcome.Success<>(null);

  /** Whether another thread can serve while one spins. */
  private static final boolean CAN_SPIN = Runtime.getRuntime().availableProcessors() > 1;

  private final Reference<?> target;
  private final CallMethod method;
  private final boolean valueWanted;
  private final @Nullable StackFrame site;

  /** The number by which other nodes know the call; 0 until one is needed. */
  public volatile long callId;

  /** The future that the answer waits for, if the method returned a future of this JVM. */
  public volatile @Nullable FutureResult<?> delegatedTo;

  /**
   * The body that the call names as its caller, held until the answer: the called object may ask
   * for a reference to it.
   */
  private @Nullable Body namedCaller;

  private Observer.@Nullable CallObservation observation; // null if the call is not observed
  private boolean forOneOnly;
  private @Nullable Outcome<Object> arrived; // accessed by the thread that took the answer

  /**
   * Creates the result of a call that is about to be made.
   *
   * @param valueWanted whether the value is of interest, rather than only the end of the call
   * @param site the source line of the call, or {@code null} if the caller waits at that line
   */
  public CallResult(
      NodeObjects node,
      Reference<?> target,
      CallMethod method,
      boolean valueWanted,
      @Nullable StackFrame site) {
    super(node.waiting());
    this.target = target;
    this.method = method;
    this.valueWanted = valueWanted;
    this.site = site;
  }

  /**
   * Records, before the call is sent, that only the thread that makes the call accesses this
   * result.
   */
  public void expectSingleReader() {
    forOneOnly = true;
  }

  /** Sets the observation of the call, before the call is sent. */
  public void observedBy(Observer.@Nullable CallObservation by) {
    observation = by;
  }

  /** Returns the context of the call for an observer, or {@code null}. */
  public byte @Nullable [] context() {
    return observation == null ? null : ObserverBinding.contextOf(observation);
  }

  /** Returns whether only the thread that makes the call accesses this result. */
  public boolean isForOneOnly() {
    return forOneOnly;
  }

  /** Records the body that a call to another node names as its caller. */
  public void names(@Nullable Body caller) {
    namedCaller = caller;
  }

  /** Returns the body that the call names as its caller, until its answer is there. */
  public @Nullable Body namedCaller() {
    return namedCaller;
  }

  /** Records that the caller has given up the call, which may still be served. */
  public void holdNamedCaller() {
    var caller = namedCaller;
    if (caller != null) {
      caller.holdForCalls();
    }
  }

  /** Returns the outcome in a payload; it is decoded on the thread that uses it. */
  public Outcome<Object> decoded(Payload payload) {
    if (!forOneOnly) {
      return marshaller().decodedLater(payload);
    }
    return payload.reuses()
        ? marshaller().decodedOnce(payload, method, target.leftovers())
        : marshaller().decodedOnce(payload);
  }

  /** Returns an action that settles this result, to be run without locks. */
  public Runnable settleLater(Outcome<Object> outcome) {
    arrived = outcome;
    namedCaller = null;
    return this;
  }

  @Override
  public void run() {
    settle(Objects.requireNonNull(arrived, "the outcome of an answered call"));
  }

  @Override
  public FailureReporter failures() {
    return node().failures();
  }

  private NodeObjects node() {
    return target.runtime();
  }

  private Marshaller marshaller() {
    return node().marshaller();
  }

  @Override
  public void dependsOn(@Nullable FutureResult<?> other) {
    delegatedTo = other;
  }

  /** Returns the node that was called; {@code null} if it is this one. */
  public @Nullable RemoteNode peer() {
    return target.target() instanceof Reference.Target.Elsewhere elsewhere
        ? elsewhere.home()
        : null;
  }

  /** Returns the time limit of the call in nanoseconds; {@code Long.MAX_VALUE} if it has none. */
  public long limitNanos() {
    return node().calls().limitNanos(target, method);
  }

  @Override
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
  public @Nullable StackTraceElement site() {
    return site == null ? null : site.toStackTraceElement();
  }

  @Override
  public void returned(@Nullable Object value) {
    delegatedTo = null; // do not keep a chain of arrived futures alive
    madeBy(null);
    if (!valueWanted || value == null) {
      settle(NO_VALUE);
    } else if (marshaller().isShareable(value)) {
      settle(new Outcome.Success<>(value));
    } else {
      try {
        settle(decoded(marshaller().encodeResult(method, value)));
      } catch (RuntimeException failure) {
        threw(failure);
      }
    }
  }

  @Override
  public void threw(Throwable cause) {
    delegatedTo = null;
    var failures = marshaller().failures();
    settle(failures.outcome(failures.encode(cause), site()));
  }

  @Override
  public boolean isAsynchronous() {
    return !forOneOnly;
  }

  @Override
  protected boolean isImminent() {
    return CAN_SPIN
        && target.target() instanceof Reference.Target.Here(Body body)
        && method.pace().isShort()
        && body.hasServingThread();
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
