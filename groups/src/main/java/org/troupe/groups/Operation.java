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
  /** Bit by bit; of whole numbers only. */
  AND,
  /** Bit by bit; of whole numbers only. */
  OR,
  /** Bit by bit; of whole numbers only. */
  XOR;

  public double on(double one, double other) {
    return switch (this) {
      case SUM -> one + other;
      case PRODUCT -> one * other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND, OR, XOR -> throw notOf("double");
    };
  }

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

  /** Requires that the operation applies to a type of numbers, before any element is combined. */
  public void check(Class<?> element) {
    if (ordinal() >= AND.ordinal() && (element == double.class || element == float.class)) {
      throw notOf(element.getName());
    }
  }

  private IllegalArgumentException notOf(String element) {
    return new IllegalArgumentException(
        this + " combines bits, and a " + element + " is no whole number; use SUM, MIN or MAX");
  }
}
