package org.troupe.groups.internal;

/** Throws checked exceptions past the compiler, so that callers see them without a wrapper. */
public final class UncheckedThrow {

  private UncheckedThrow() {}

  /** Throws the exception; the type argument of the call is never checked, as it is erased. */
  @SuppressWarnings("unchecked") // see above
  public static <E extends Throwable> E of(Throwable exception) throws E {
    throw (E) exception;
  }
}
