package org.troupe.classics.cg;

/** The distribution of the matrix over the members. The constants are option values. */
enum MatrixDecomposition {
  /** Each member has some rows, and receives the whole vector in each iteration. */
  rows,
  /** Each member has a block, as in the benchmark's own programs. */
  blocks
}
