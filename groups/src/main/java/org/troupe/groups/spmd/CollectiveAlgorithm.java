package org.troupe.groups.spmd;

/** Ways to do a collective; which one is best depends on sizes. */
enum CollectiveAlgorithm {
  /** The one that suits. */
  BEST,
  /** By a binomial tree. */
  BINOMIAL,
  /** A broadcast as a scatter and an all-gather [1]. */
  SCATTER_ALL_GATHER,
  /** Exchanging everything with a partner at twice the distance each time. */
  DOUBLING,
  /** An all-reduce as a reduce-scatter by halves and an all-gather (Rabenseifner) [2]. */
  HALVING,
  /** Round in a ring, a block at a time. */
  RING,
  /** Everything to everybody at once [3]. */
  CONCURRENT,
  /** With one partner after the other [3]. */
  PAIRWISE

  /*
   * [1] M. Barnett et al., Interprocessor collective communication library, SHPCC 1994 (van de Geijn's).
   * [2] R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004.
   * [3] W. Pugh, J. Spacco, MPJava: high-performance message passing in Java using java.nio, LCPC 2003.
   */
}
