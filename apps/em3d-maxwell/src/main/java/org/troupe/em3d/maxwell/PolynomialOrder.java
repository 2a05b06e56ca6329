package org.troupe.em3d.maxwell;

/** The polynomials that represent the fields in each cell. Fields may jump between cells. */
public enum PolynomialOrder {

  /** Constants: three numbers per cell and field. */
  CONSTANT(1, 1),

  /** Linear functions: three numbers per vertex of a cell. */
  LINEAR(4, 3);

  private final int nodes;
  private final int faceNodes;

  PolynomialOrder(int nodes, int faceNodes) {
    this.nodes = nodes;
    this.faceNodes = faceNodes;
  }

  /**
   * Returns the order with this degree.
   *
   * @throws IllegalArgumentException if the solver has no such order
   */
  public static PolynomialOrder of(int degree) {
    PolynomialOrder[] all = values();
    if (degree < 0 || degree >= all.length) {
      throw new IllegalArgumentException(
          "order %d is not supported; use 0, for constants in each cell, or 1, for linear functions"
              .formatted(degree));
    }
    return all[degree];
  }

  /** Returns the degree of the polynomials. */
  public int degree() {
    return ordinal();
  }

  /** Returns the numbers per cell and field. */
  public int cellValues() {
    return 3 * nodes;
  }

  /** Returns the numbers of a field that a cell sends its neighbour through a face. */
  public int borderValues() {
    return 3 * faceNodes;
  }

  /** Returns the bytes of E and H that are sent per border face and step. */
  public long borderBytesPerStep() {
    return 2L * Double.BYTES * borderValues();
  }
}
