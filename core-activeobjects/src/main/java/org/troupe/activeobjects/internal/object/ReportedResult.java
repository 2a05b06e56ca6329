package org.troupe.activeobjects.internal.object;

import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** A result whose failure the failure handler hears of, if nobody ever claims it. */
public abstract class ReportedResult<T> extends FutureResult<T> {

  private volatile FailureReporter.Watch watch;

  /** Who made the call, as long as it may have to hear of a failure that nobody claims. */
  private volatile Body caller;

  ReportedResult(FutureRuntime waiting) {
    super(waiting);
  }

  abstract NodeObjects node();

  /** The line of the call, if it is known. */
  public abstract StackTraceElement site();

  /**
   * Notes who makes the call, before it can end.
   *
   * @param body the body, or {@code null}
   */
  public final void madeBy(Body body) {
    caller = body;
  }

  @Override
  protected void endedUnseen(Outcome<T> outcome) {
    if (!isClaimed() && FailureReporter.isFailure(outcome)) {
      watch = node().failures().watch(this, caller, outcome);
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
}
