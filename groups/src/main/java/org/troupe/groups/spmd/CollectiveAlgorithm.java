package org.troupe.groups.spmd;

import java.util.Locale;

/** The algorithms of collectives; the best one depends on the number of members and the size. */
enum CollectiveAlgorithm {
  /** The best one of the others for the members and the size. */
  BEST,
  /** A binomial tree. */
  BINOMIAL,
  /** A broadcast as a scatter and an all-gather [1]. */
  SCATTER_ALL_GATHER,
  /** Recursive doubling: each step exchanges all data with a partner at twice the distance. */
  DOUBLING,
  /** An all-reduce as a reduce-scatter by halves and an all-gather (Rabenseifner) [2]. */
  HALVING,
  /** A ring, around which blocks are passed. */
  RING,
  /** Sends to all members at once [3]. */
  CONCURRENT,
  /** Exchanges with one partner after the other [3]. */
  PAIRWISE,
  /** The board of a host, which only the best algorithm uses. */
  BOARD;

  /*
   * [1] M. Barnett et al., Interprocessor collective communication library, SHPCC 1994 (van de Geijn's).
   * [2] R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004.
   * [3] W. Pugh, J. Spacco, MPJava: high-performance message passing in Java using java.nio, LCPC 2003.
   */

  /** From this size on, transfer time counts for more than the number of messages. */
  static final int LARGE_BYTES = 16 << 10;

  /**
   * Returns the name for reports, such as {@code scatter-all-gather}; empty if it is not chosen.
   */
  @Override
  public String toString() {
    return this == BEST ? "" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
