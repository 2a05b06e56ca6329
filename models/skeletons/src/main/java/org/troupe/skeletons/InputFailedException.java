package org.troupe.skeletons;

/** An input has failed. Its message names the input, the step and the reason. */
public final class InputFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Outcome.Failure<?, ?> outcome;

  InputFailedException(Outcome.Failure<?, ?> outcome) {
    super(outcome.message(), outcome.cause());
    this.outcome = outcome;
  }

  /** Returns the outcome of the input. */
  public Outcome.Failure<?, ?> outcome() {
    return outcome;
  }
}
