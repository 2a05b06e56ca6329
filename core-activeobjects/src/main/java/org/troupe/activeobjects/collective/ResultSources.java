package org.troupe.activeobjects.collective;

import java.util.List;
import org.troupe.futures.FutureResult;

/**
 * The results from which another result is derived; it cannot be settled before {@code needed} of
 * them are.
 *
 * @param results the sources; never the derived result itself
 * @param needed the number of settled sources that suffices
 */
public record ResultSources(List<? extends FutureResult<?>> results, int needed) {

  /** The sources of a result whose dependencies are unknown. */
  public static final ResultSources UNKNOWN = all(List.of());

  /** Returns sources of which all are needed. */
  public static ResultSources all(List<? extends FutureResult<?>> results) {
    return new ResultSources(results, results.size());
  }
}
