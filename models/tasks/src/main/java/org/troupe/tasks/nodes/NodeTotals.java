package org.troupe.tasks.nodes;

import org.troupe.tasks.engine.EngineTotals;

/**
 * The work of one node so far.
 *
 * @param engine within its JVM
 * @param requests how many requests for tasks it has sent
 * @param fromCluster how many tasks it has taken from nodes of its cluster
 * @param fromBeyond how many tasks it has taken from nodes of other clusters
 * @param repeated how many tasks it has let repeat because their node was lost
 * @param saved how many results of orphans it has used
 */
public record NodeTotals(
    EngineTotals engine,
    long requests,
    long fromCluster,
    long fromBeyond,
    long repeated,
    long saved) {

  /** Returns those of an engine without other nodes. */
  public static NodeTotals of(EngineTotals engine) {
    return new NodeTotals(engine, 0, 0, 0, 0, 0);
  }

  /** Those of a node without workers. */
  static final NodeTotals NONE = of(EngineTotals.NONE);
}
