package org.troupe.classics.cg;

/**
 * A matrix, or a member's part of a distributed one, that can be multiplied by a vector with the
 * same distribution.
 */
interface LinearOperator {

  /** Returns the length of this member's part of each vector. */
  int length();

  /** Multiplies the matrix by a distributed vector; both arrays are this member's parts. */
  void multiply(double[] vector, double[] product);

  /** Returns the sum of the values of all members. */
  double sum(double own);
}
