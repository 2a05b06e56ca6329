package org.troupe.classics.cg;

/** Who has what of the matrix; written as users write it. */
enum MatrixDecomposition {
  /** Each member some rows; each gets all of the vector in each iteration. */
  rows,
  /** Each member a block of a square of them, as the benchmark's own programs have it. */
  blocks
}
