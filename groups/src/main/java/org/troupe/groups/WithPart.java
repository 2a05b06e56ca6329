package org.troupe.groups;

/**
 * A call on a member with its part of a whole: {@code Solver::take}.
 *
 * @param <T> the type called
 * @param <P> the type of the part
 * @param <V> the type of the result
 */
@FunctionalInterface
public interface WithPart<T, P, V> {

  /** Makes one call on the member and returns its result. */
  V on(T member, P part) throws Exception;

  /**
   * A call on a member with its part of a whole whose result, if any, is not used.
   *
   * @param <T> the type called
   * @param <P> the type of the part
   */
  @FunctionalInterface
  interface Told<T, P> {

    /** Makes one call on the member. */
    void on(T member, P part) throws Exception;
  }
}
