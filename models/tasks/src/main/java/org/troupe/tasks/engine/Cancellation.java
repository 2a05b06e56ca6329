package org.troupe.tasks.engine;

/** Unwinds the stack of a job that was cancelled. One instance, without a trace. */
final class Cancellation extends Error {

  private static final long serialVersionUID = 1;

  static final Cancellation INSTANCE = new Cancellation();

  private Cancellation() {
    super("the task was cancelled", null, false, false);
  }
}
