package org.troupe.em3d.problem;

import java.util.Set;
import org.troupe.em3d.physics.Physics;

/**
 * A problem and how long it is to be followed, as a problem file says.
 *
 * @param cfl the time step as a fraction of that
 * @param length how long
 * @param variables the names of those that the file declares
 */
public record ProblemRun(MaxwellProblem problem, double cfl, Length length, Set<String> variables) {

  private static final double ROUNDING = 1e-9;

  /** How long a problem is followed. */
  sealed interface Length {

    record Steps(int count) implements Length {}

    /** So much time, in metres of light. */
    record Time(double metres) implements Length {}
  }

  /**
   * How many steps with this cfl: the last one ends at the time asked for or after it.
   *
   * @param ofItsOrder the problem, of the order that it is solved with
   * @throws IllegalArgumentException if there are more than a run can count
   */
  public int steps(MaxwellProblem ofItsOrder, double itsCfl) {
    return switch (length) {
      case Length.Steps(int count) -> count;
      case Length.Time(double metres) -> steps(metres, itsCfl * ofItsOrder.stepBound());
    };
  }

  private int steps(double metres, double dt) {
    var steps = Math.ceil(metres / dt - ROUNDING);
    if (steps > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s is to be followed for %.4g s, which are %.4g steps of %.4g s; a run has at most %,d, so name the unit, such as ns, or give a shorter time"
              .formatted(
                  problem.setup().name(),
                  metres / Physics.SPEED_OF_LIGHT,
                  steps,
                  dt / Physics.SPEED_OF_LIGHT,
                  Integer.MAX_VALUE));
    }
    return (int) Math.max(1, steps);
  }
}
