package org.troupe.activeobjects.internal.peer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.replay.CallOrigin;

/**
 * The calls that one origin has numbered to an object without a log, as the node of the object
 * accounts for them. Travels with the object.
 *
 * @param highest the highest number that has arrived
 * @param missing the lower numbers that the next node is yet to get, as pairs of the first and the
 *     last of a range: of calls that wait in the queue, which follows the object, or were lost
 * @param takenAgain the numbers of calls that were sent again, and whose first messages may come
 *     later, as such pairs
 * @param outcomes those that the origin may still ask for
 */
public record CallerAccount(
    CallOrigin origin,
    long highest,
    long[] missing,
    long[] takenAgain,
    List<KeptOutcome> outcomes) {

  /**
   * The outcome of a call.
   *
   * @param value the result, or a future of it that its former node owes
   * @param failure the exception that the method threw, or {@code null}
   */
  public record KeptOutcome(long number, @Nullable Object value, @Nullable Throwable failure) {}
}
