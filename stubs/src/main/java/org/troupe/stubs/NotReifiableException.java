package org.troupe.stubs;

/** A class cannot have a stub; the message gives every reason. */
public final class NotReifiableException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final transient Reifiable verdict;

  NotReifiableException(Reifiable verdict) {
    super(verdict.describe());
    this.verdict = verdict;
  }

  /** Returns the reasons; {@code null} if this exception came from another JVM. */
  public Reifiable verdict() {
    return verdict;
  }
}
