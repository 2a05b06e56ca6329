package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.internal.body.Body;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Outcome;

/** The result that completes when a body of this node ends, for one waiting caller. */
public final class BodyEnd extends FutureResult<Void> {

  @SuppressWarnings("NullAway") // Void has no other value
  private static final Outcome<Void> NO_VALUE = new Outcome.Success<>(null);

  private final Body body;

  public BodyEnd(Body body, FutureRuntime waiting) {
    super(waiting);
    this.body = body;
    body.whenEnded().thenRun(() -> settle(NO_VALUE));
  }

  public Body body() {
    return body;
  }

  @Override
  public String describe() {
    return "the end of " + body;
  }
}
