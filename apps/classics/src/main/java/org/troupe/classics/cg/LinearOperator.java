package org.troupe.classics.cg;

/** A matrix, or a part of one, that a part of a vector can be multiplied with. */
interface LinearOperator {

  /** How long the part of each vector is. */
  int length();

  /** Multiplies the whole vector; both are parts that belong to each other. */
  void multiply(double[] vector, double[] product);

  /** Returns the sum of what all parts have. */
  double sum(double own);
}
