package org.troupe.em3d.problem;

import java.util.Set;
import org.troupe.em3d.physics.Physics;

/**
 * A problem with the duration and the time step that its file asks for.
 *
 * @param cfl the time step as a fraction of the stability bound
 * @param length the duration
 * @param variables the names of the variables that the file declares
 */
public record ProblemRun(MaxwellProblem problem, double cfl, Length length, Set<String> variables) {

  private static final double ROUNDING = 1e-9;

  /** The duration of a run. */
  sealed interface Length {

    record Steps(int count) implements Length {}

    /** A duration in normalised units (m). */
    record Time(double metres) implements Length {}
  }

  /**
   * Returns the number of steps with this cfl; the last step ends at the duration or after it.
   *
   * @param ofItsOrder the problem with the order of the run
   * @throws IllegalArgumentException if the number exceeds that of an int
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
          "%s has a duration of %.4g s, which are %.4g steps of %.4g s; a run has at most %,d, so name the unit, such as ns, or give a shorter time"
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
