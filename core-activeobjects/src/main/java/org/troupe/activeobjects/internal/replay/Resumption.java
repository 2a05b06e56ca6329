package org.troupe.activeobjects.internal.replay;

import java.util.List;
import java.util.Set;

/**
 * The message of a caller to an object after either of them was made again.
 *
 * @param made the number up to which the caller has made its calls, or skipped numbers
 * @param untaken the calls up to that number that the object may not have taken, in order
 * @param wanted the numbers up to {@code made} of the calls whose answers the caller still awaits
 */
public record Resumption<C>(long made, List<NumberedCall<C>> untaken, Set<Long> wanted) {

  public Resumption {
    untaken = List.copyOf(untaken);
    wanted = Set.copyOf(wanted);
  }
}
