package org.troupe.groups;

/**
 * Combines numbers in a reduction. All operations are associative and commutative up to the
 * rounding of floating-point numbers; all members of an {@code allReduce} get the same bits.
 */
public enum Operation {
  SUM,
  PRODUCT,
  MIN,
  MAX,
  /** Bitwise; for whole numbers only. */
  AND,
  /** Bitwise; for whole numbers only. */
  OR,
  /** Bitwise; for whole numbers only. */
  XOR;

  /** Combines two numbers. */
  public double on(double one, double other) {
    return switch (this) {
      case SUM -> one + other;
      case PRODUCT -> one * other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND, OR, XOR -> throw notApplicable();
    };
  }

  /** Combines two numbers. */
  public long on(long one, long other) {
    return switch (this) {
      case SUM -> one + other;
      case PRODUCT -> one * other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND -> one & other;
      case OR -> one | other;
      case XOR -> one ^ other;
    };
  }

  /** Combines two numbers. */
  public int on(int one, int other) {
    return switch (this) {
      case SUM -> one + other;
      case PRODUCT -> one * other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND -> one & other;
      case OR -> one | other;
      case XOR -> one ^ other;
    };
  }

  private IllegalArgumentException notApplicable() {
    return new IllegalArgumentException(
        this + " combines bits, and a double is no whole number; use SUM, MIN or MAX");
  }
}
