package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.internal.body.Body;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** The result that completes when a body of this node ends, for one waiting caller. */
public final class BodyEnd extends FutureResult<Void> {

  private final Body body;

  public BodyEnd(Body body, FutureRuntime waiting) {
    super(waiting);
    this.body = body;
    body.whenEnded().thenRun(() -> settle(new Outcome.Success<>(null)));
  }

  public Body body() {
    return body;
  }

  @Override
  public String describe() {
    return "the end of " + body;
  }
}
