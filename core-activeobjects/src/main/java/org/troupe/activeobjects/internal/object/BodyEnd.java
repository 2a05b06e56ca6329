package org.troupe.activeobjects.internal.object;

import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** The result that completes when a body of this node ends, for one waiting caller. */
public final class BodyEnd extends FutureResult<End> {

  private final WeakReference<Body> body;
  private final @Nullable Body held; // null if the caller does not keep the object from collection
  private final Consumer<End> listener = end -> settle(new Outcome.Success<>(end));

  /** Creates the result for a caller in this JVM, which holds the object. */
  public BodyEnd(Body body, FutureRuntime waiting) {
    this(body, body, waiting);
  }

  private BodyEnd(Body body, @Nullable Body held, FutureRuntime waiting) {
    super(waiting);
    this.body = new WeakReference<>(body);
    this.held = held;
    body.onEnd(listener);
  }

  /** Creates the result for a caller on another node, which does not hold the object. */
  static BodyEnd ofWeak(Body body, FutureRuntime waiting) {
    return new BodyEnd(body, null, waiting);
  }

  /** Returns the body; {@code null} if it has been collected. */
  public @Nullable Body body() {
    return held == null ? body.get() : held;
  }

  /** Completes with the end of a body that has been collected. */
  void collected(End end) {
    settle(new Outcome.Success<>(end));
  }

  /** Returns whether the caller does not wait any more. */
  boolean isOver() {
    return !isAwaited();
  }

  @Override
  protected void abandoned() {
    withdraw();
  }

  /** Forgets the caller, which no longer waits. */
  public void withdraw() {
    var known = body();
    if (known != null) {
      known.removeEndListener(listener);
    }
  }

  @Override
  public String describe() {
    var known = body();
    return "the end of " + (known == null ? "an object that was collected" : known);
  }
}
