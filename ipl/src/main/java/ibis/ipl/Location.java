package ibis.ipl;

import java.io.Serializable;

/**
 * Where an instance runs: names from the most detailed, level 0, to the coarsest.
 *
 * <p>Written with {@code @} between the levels, as in {@code node3@das@vu@nl}. Iteration goes from
 * the coarsest level to the most detailed. Immutable.
 */
public interface Location extends Serializable, Comparable<Location>, Iterable<String> {

  /**
   * The default of the property {@code ibis.location}: the host, then each label of its domain.
   *
   * <p>The words {@code %HOSTNAME%}, {@code %DOMAIN%} (a level for each label), {@code
   * %FLAT_DOMAIN%} (one level), {@code %PID%} and {@code %%} are replaced; other text is unchanged.
   */
  String DEFAULT_LOCATION = "%HOSTNAME%@%DOMAIN%";

  int numberOfLevels();

  /**
   * Returns the name of a level; 0 is the most detailed.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such level
   */
  String getLevel(int level);

  /** Returns a copy of the levels, the most detailed first. */
  String[] getLevels();

  /** Returns how many levels are the same, from the coarsest on. */
  int numberOfMatchingLevels(Location other);

  /**
   * Returns this location without its most detailed level; the empty one if there is nothing left.
   */
  Location getParent();

  /** Returns the levels with {@code @} between them, the most detailed first. */
  @Override
  String toString();
}
