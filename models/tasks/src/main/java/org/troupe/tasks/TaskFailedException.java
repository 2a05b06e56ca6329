package org.troupe.tasks;

/** A task has thrown a checked exception, which is the cause. */
public final class TaskFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  TaskFailedException(Throwable cause) {
    super("a task has failed: " + cause, cause);
  }

  /** Returns what a join throws for a failure: itself if it is unchecked. */
  static Throwable unchecked(Throwable failure) {
    return failure instanceof RuntimeException || failure instanceof Error
        ? failure
        : new TaskFailedException(failure);
  }
}
