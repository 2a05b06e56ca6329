package org.troupe.deployment.runs;

import java.util.List;

/**
 * The outcome of a request for more nodes. Immutable.
 *
 * @param started the names of the nodes that are being started
 * @param problems why others could not be started, one line or more for each
 */
public record StartedNodes(List<String> started, List<String> problems) {

  /** Copies the lists. */
  public StartedNodes {
    started = List.copyOf(started);
    problems = List.copyOf(problems);
  }
}
