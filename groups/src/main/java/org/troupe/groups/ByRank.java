package org.troupe.groups;

/**
 * A call on a member whose arguments depend on its rank: {@code (solver, rank) ->
 * solver.take(parts[rank])}.
 *
 * @param <T> the type called
 * @param <V> the type of the result
 */
@FunctionalInterface
public interface ByRank<T, V> {

  /** Makes one call on the member and returns its result. */
  V on(T member, int rank) throws Exception;

  /**
   * A call on a member with arguments by rank whose result, if any, is not used.
   *
   * @param <T> the type called
   */
  @FunctionalInterface
  interface Told<T> {

    /** Makes one call on the member. */
    void on(T member, int rank) throws Exception;
  }
}
