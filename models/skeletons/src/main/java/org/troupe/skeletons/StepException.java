package org.troupe.skeletons;

/** The failure of a function, on its way to the outcome of the input. */
final class StepException extends Exception {

  private static final long serialVersionUID = 1;

  private final int step;
  private final Throwable reason;

  StepException(int step, Throwable reason) {
    super(null, reason, false, false); // the reason has the trace
    this.step = step;
    this.reason = reason;
  }

  int step() {
    return step;
  }

  Throwable reason() {
    return reason;
  }
}
