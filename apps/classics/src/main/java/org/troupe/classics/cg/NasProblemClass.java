package org.troupe.classics.cg;

/**
 * The classes of problems of the NAS parallel benchmarks (D. Bailey et al., The NAS parallel
 * benchmarks, RNR-94-007, NASA Ames, 1994).
 */
enum NasProblemClass {
  S(1400, 7, 15, 10, 8.5971775078648),
  W(7000, 8, 15, 12, 10.362595087124),
  A(14000, 11, 15, 20, 17.130235054029),
  B(75000, 13, 75, 60, 22.712745482631),
  C(150000, 15, 75, 110, 28.973605592845);

  /** The rows of the matrix. */
  final int order;

  /** Numbers in each of the vectors that the matrix is made of, but for one on the diagonal. */
  final int nonZeros;

  final int iterations;

  /** What the diagonal is less, so that another eigenvalue is found. */
  final double shift;

  /** The published answer. */
  final double zeta;

  NasProblemClass(int order, int nonZeros, int iterations, double shift, double zeta) {
    this.order = order;
    this.nonZeros = nonZeros;
    this.iterations = iterations;
    this.shift = shift;
    this.zeta = zeta;
  }

  /**
   * What the whole matrix takes while it is made: a number and its column for each place, in an
   * array that grows by halves and in one that fits.
   */
  double bytes() {
    double places = (double) order * (nonZeros + 1) * (nonZeros + 1);
    return 2.5 * (Integer.BYTES + Double.BYTES) * places;
  }
}
