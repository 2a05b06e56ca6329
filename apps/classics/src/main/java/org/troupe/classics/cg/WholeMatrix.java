package org.troupe.classics.cg;

/** A whole matrix, for one thread. */
record WholeMatrix(SparseMatrix matrix) implements LinearOperator {

  @Override
  public int length() {
    return matrix.rows();
  }

  @Override
  public void multiply(double[] vector, double[] product) {
    matrix.multiply(vector, product);
  }

  @Override
  public double sum(double own) {
    return own;
  }
}
