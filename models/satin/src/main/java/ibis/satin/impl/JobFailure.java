package ibis.satin.impl;

/**
 * Ends a job one of whose children has thrown, or an inlet of it: unwinds its stack past the
 * program's own handlers. The cause is the exception that was thrown.
 */
public final class JobFailure extends Error {

  private static final long serialVersionUID = 1;

  JobFailure(Throwable thrown) {
    super("a spawned job has thrown " + thrown, thrown, false, false);
  }

  /** Returns the original exception of one that a job has thrown or passed on. */
  static Throwable unwrap(Throwable thrown) {
    return thrown instanceof JobFailure failure && failure.getCause() != null
        ? failure.getCause()
        : thrown;
  }
}
