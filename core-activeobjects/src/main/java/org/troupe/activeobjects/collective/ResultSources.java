package org.troupe.activeobjects.collective;

import java.util.List;
import org.troupe.futures.FutureResult;

/**
 * The results that another result is made of: it does not come before {@code needed} of them are
 * here.
 *
 * @param results others than the result itself
 */
public record ResultSources(List<? extends FutureResult<?>> results, int needed) {

  /** For a result whose sources are not known. */
  public static final ResultSources UNKNOWN = all(List.of());

  /** Returns sources of which all are needed. */
  public static ResultSources all(List<? extends FutureResult<?>> results) {
    return new ResultSources(results, results.size());
  }
}
