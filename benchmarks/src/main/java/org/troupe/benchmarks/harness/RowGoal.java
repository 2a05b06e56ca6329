package org.troupe.benchmarks.harness;

/**
 * The goal of a row.
 *
 * @param subject the figure that is compared with the bound
 * @param direction the side of the bound on which the figure should be
 * @param bound the bound, in the row's unit or as a ratio
 */
public record RowGoal(Subject subject, Direction direction, double bound) {

  enum Subject {
    OURS,
    RATIO
  }

  public enum Direction {
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

  public static RowGoal ours(Direction direction, double bound) {
    return new RowGoal(Subject.OURS, direction, bound);
  }

  public static RowGoal ratio(Direction direction, double bound) {
    return new RowGoal(Subject.RATIO, direction, bound);
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

  /** Returns, for example, {@code ratio<=1.2}. */
  @Override
  public String toString() {
    var name =
        switch (subject) {
          case OURS -> "ours";
          case RATIO -> "ratio";
        };
    return name + direction.sign + FigureSpread.text(bound);
  }
}
