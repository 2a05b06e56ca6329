package org.troupe.classics.cg;

/**
 * The problem classes of the NAS parallel benchmarks (D. Bailey et al., The NAS parallel
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

  /**
   * The nonzero elements of each vector that the matrix is made of, besides the one on the
   * diagonal.
   */
  final int nonZeros;

  final int iterations;

  /** The shift of the diagonal, which selects the eigenvalue. */
  final double shift;

  /** The published result. */
  final double zeta;

  NasProblemClass(int order, int nonZeros, int iterations, double shift, double zeta) {
    this.order = order;
    this.nonZeros = nonZeros;
    this.iterations = iterations;
    this.shift = shift;
    this.zeta = zeta;
  }

  /**
   * Returns the bytes of the whole matrix during its generation: a number and its column for each
   * element, in an array that grows by halves and in one that fits.
   */
  double bytes() {
    double elements = (double) order * (nonZeros + 1) * (nonZeros + 1);
    return 2.5 * (Integer.BYTES + Double.BYTES) * elements;
  }
}
