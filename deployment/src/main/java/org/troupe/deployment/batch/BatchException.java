package org.troupe.deployment.batch;

/** A request that a batch system did not carry out, in the batch system's own words. */
public sealed class BatchException extends Exception
    permits BatchException.Away, BatchException.NotEnded, BatchException.UnknownJob {

  private static final long serialVersionUID = 1;

  BatchException(String message) {
    super(message);
  }

  /** The batch system could not be reached; this does not affect its jobs. */
  public static final class Away extends BatchException {

    private static final long serialVersionUID = 1;

    public Away(String message) {
      super(message);
    }
  }

  /** The job has not ended, or its accounting record does not exist yet. */
  public static final class NotEnded extends BatchException {

    private static final long serialVersionUID = 1;

    public NotEnded(String message) {
      super(message);
    }
  }

  /** The batch system does not know the job, or has forgotten it. */
  public static final class UnknownJob extends BatchException {

    private static final long serialVersionUID = 1;

    public UnknownJob(String message) {
      super(message);
    }
  }
}
