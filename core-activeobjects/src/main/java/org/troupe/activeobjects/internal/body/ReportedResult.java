package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** A result whose failure is reported to the failure handler if it is never claimed. */
public abstract class ReportedResult<T> extends FutureResult<T> {

  private volatile FailureReporter.@Nullable Watch watch;

  /** The body that made the call, while it may have to be notified of an unclaimed failure. */
  private volatile @Nullable Body caller;

  public ReportedResult(FutureRuntime waiting) {
    super(waiting);
  }

  /** Returns the reporter of unclaimed failures. */
  public abstract FailureReporter failures();

  /** Returns whether the result has a time limit, at which it fails. */
  public boolean isLimited() {
    return false;
  }

  /**
   * Records the result that must arrive before this one can.
   *
   * @param other the result, or {@code null} for none any more
   */
  public void dependsOn(@Nullable FutureResult<?> other) {
    // ignored by results whose sources are known otherwise
  }

  /** Returns the source line of the call, if it is known. */
  public abstract @Nullable StackTraceElement site();

  /**
   * Records the body that makes the call, before the call can end.
   *
   * @param body the body, or {@code null}
   */
  public final void madeBy(@Nullable Body body) {
    caller = body;
  }

  @Override
  protected void endedUnseen(Outcome<T> outcome) {
    if (!isClaimed() && FailureReporter.isFailure(outcome)) {
      var watching = failures().watch(this, site(), caller, outcome);
      watch = watching;
      if (isClaimed()) {
        watching.claimed();
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
