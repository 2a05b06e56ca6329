package org.troupe.activeobjects.internal.object;

import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The end of a body of this node, as one caller awaits it. */
public final class BodyEnd extends FutureResult<Void> {

  private final Body body;

  public BodyEnd(Body body) {
    super(body.node().waiting());
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
