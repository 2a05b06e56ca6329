package org.troupe.benchmarks;

/**
 * What a row is to reach.
 *
 * @param subject what is compared with the bound
 * @param direction on which side of the bound it is to lie
 * @param bound in the row's unit, or a plain number for a ratio
 */
record Goal(Subject subject, Direction direction, double bound) {

  enum Subject {
    OURS,
    RATIO
  }

  enum Direction {
    AT_MOST("<="),
    BELOW("<"),
    AT_LEAST(">="),
    ABOVE(">"),
    AWAY_FROM_ONE_AT_MOST("=1+-");

    private final String sign;

    Direction(String sign) {
      this.sign = sign;
    }
  }

  static Goal ours(Direction direction, double bound) {
    return new Goal(Subject.OURS, direction, bound);
  }

  static Goal ratio(Direction direction, double bound) {
    return new Goal(Subject.RATIO, direction, bound);
  }

  boolean isMetBy(double ours, double ratio) {
    var value =
        switch (subject) {
          case OURS -> ours;
          case RATIO -> ratio;
        };
    return switch (direction) {
      case AT_MOST -> value <= bound;
      case BELOW -> value < bound;
      case AT_LEAST -> value >= bound;
      case ABOVE -> value > bound;
      case AWAY_FROM_ONE_AT_MOST -> Math.abs(value - 1) <= bound;
    };
  }

  /** {@code ratio<=1.2} */
  @Override
  public String toString() {
    var name =
        switch (subject) {
          case OURS -> "ours";
          case RATIO -> "ratio";
        };
    return name + direction.sign + Spread.text(bound);
  }
}
