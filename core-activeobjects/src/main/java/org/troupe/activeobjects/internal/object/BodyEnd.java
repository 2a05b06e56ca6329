package org.troupe.activeobjects.internal.object;

import java.util.function.Consumer;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** The result that completes when a body of this node ends, for one waiting caller. */
public final class BodyEnd extends FutureResult<End> {

  private final Body body;
  private final Consumer<End> listener = end -> settle(new Outcome.Success<>(end));

  public BodyEnd(Body body, FutureRuntime waiting) {
    super(waiting);
    this.body = body;
    body.onEnd(listener);
  }

  public Body body() {
    return body;
  }

  @Override
  protected void abandoned() {
    withdraw();
  }

  /** Forgets the caller, which no longer waits. */
  public void withdraw() {
    body.removeEndListener(listener);
  }

  @Override
  public String describe() {
    return "the end of " + body;
  }
}
