package org.troupe.em3d.maxwell;

/** Of which polynomials the fields are made in each cell. They may jump from cell to cell. */
public enum PolynomialOrder {

  /** Constants: three numbers for a cell and field. */
  CONSTANT(1, 1),

  /** Linear functions: three numbers for each vertex of a cell. */
  LINEAR(4, 3);

  private final int nodes;
  private final int faceNodes;

  PolynomialOrder(int nodes, int faceNodes) {
    this.nodes = nodes;
    this.faceNodes = faceNodes;
  }

  /**
   * The one with this degree.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PolynomialOrder of(int degree) {
    PolynomialOrder[] all = values();
    if (degree < 0 || degree >= all.length) {
      throw new IllegalArgumentException(
          "order %d is not there; use 0, for constants in each cell, or 1, for linear functions"
              .formatted(degree));
    }
    return all[degree];
  }

  /** The degree of the polynomials. */
  public int degree() {
    return ordinal();
  }

  /** How many numbers a field has in a cell. */
  public int cellValues() {
    return 3 * nodes;
  }

  /** How many numbers of a field one cell tells another through a face. */
  public int borderValues() {
    return 3 * faceNodes;
  }

  /** How many bytes of E and H a border face sends in a step. */
  public long borderBytesPerStep() {
    return 2L * Double.BYTES * borderValues();
  }
}
