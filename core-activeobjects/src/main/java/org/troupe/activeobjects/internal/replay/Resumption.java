package org.troupe.activeobjects.internal.replay;

import java.util.List;
import java.util.Set;

/**
 * What a caller tells an object that was made again, or after it was made again itself.
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
