package org.troupe.classics.cg;

import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** Some rows of a matrix, with the same rows of each vector. A product needs the whole vector. */
final class MatrixRows implements LinearOperator {

  private final Spmd<?> spmd;
  private final double[] vector;
  private final SparseMatrix matrix;

  MatrixRows(NasProblemClass problem, Spmd<?> spmd) {
    this.spmd = spmd;
    vector = new double[problem.order];
    var own = Slice.of(vector).block(spmd.rank(), spmd.size());
    matrix = new MatrixGenerator(problem).matrix(own.offset(), own.length(), 0, problem.order);
  }

  @Override
  public int length() {
    return matrix.rows();
  }

  @Override
  public void multiply(double[] part, double[] product) {
    spmd.allGather(Slice.of(part), Slice.of(vector));
    matrix.multiply(vector, product);
  }

  @Override
  public double sum(double own) {
    return spmd.allReduce(own, Operation.SUM);
  }
}
