package org.troupe.activeobjects.collective;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;

/**
 * The place of an object in a group, for reports. Immutable.
 *
 * @param group the id of the group, the same at all members
 * @param rank the rank of the object
 * @param size the number of members
 * @param openWait what it waits for in the group; {@code null} if it does not wait
 */
public record GroupStanding(String group, int rank, int size, @Nullable OpenWait openWait) {

  /** The kind of a wait. */
  public enum Kind {
    /** Until members have reached a barrier. */
    BARRIER,
    /** In an operation of all members. */
    COLLECTIVE,
    /** For a message of another member. */
    RECEIVE
  }

  /**
   * A wait that has not ended.
   *
   * @param operation what the member waits in, such as {@code barrier()}
   * @param missing the ranks that it waits for
   * @param first the first of these members; {@code null} if there is none
   * @param sinceNanos when the wait began, in the time of {@link System#nanoTime}
   * @param thread the thread that waits; {@code null} if none does
   */
  public record OpenWait(
      Kind kind,
      String operation,
      List<Integer> missing,
      @Nullable Ref<?> first,
      long sinceNanos,
      @Nullable Thread thread) {

    /** Copies the list. */
    public OpenWait {
      missing = List.copyOf(missing);
    }

    /**
     * Returns whether the object does nothing meanwhile.
     *
     * @param isServing whether it serves a request
     */
    public boolean isOf(boolean isServing) {
      return thread != null || !isServing;
    }
  }
}
