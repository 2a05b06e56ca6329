package org.troupe.em3d.maxwell;

import org.troupe.em3d.kernel.CompensatedSum;

/**
 * The errors of computed fields against exact ones, over one or several sub-domains.
 *
 * @param largestE largest error of a component of E, V/m
 * @param largestH largest error of a component of H, V/m
 * @param squaredE integral of the squared error of E
 * @param squaredH integral of the squared error of H
 * @param squaredStart integral of the exact E squared at time 0
 */
public record FieldErrors(
    double largestE, double largestH, double squaredE, double squaredH, double squaredStart) {

  /** The errors over no cell. */
  static final FieldErrors NONE = new FieldErrors(0, 0, 0, 0, 0);

  /** Returns the errors over two sub-domains together. */
  public FieldErrors merge(FieldErrors other) {
    return new FieldErrors(
        Math.max(largestE, other.largestE),
        Math.max(largestH, other.largestH),
        squaredE + other.squaredE,
        squaredH + other.squaredH,
        squaredStart + other.squaredStart);
  }

  /** Returns the L2 norm of the error of E, divided by that of E at time 0. */
  public double relativeE() {
    return Math.sqrt(squaredE / squaredStart);
  }

  /** Returns the L2 norm of the error of H, divided by that of E at time 0. */
  double relativeH() {
    return Math.sqrt(squaredH / squaredStart);
  }

  /** Accumulates the errors of cells. */
  static final class Sums {

    private double largestE;
    private double largestH;
    private final CompensatedSum squaredE = new CompensatedSum();
    private final CompensatedSum squaredH = new CompensatedSum();
    private final CompensatedSum squaredStart = new CompensatedSum();

    void addE(double volume, double[] computed, int place, double[] exact) {
      largestE = Math.max(largestE, largest(computed, place, exact));
      squaredE.add(volume * squared(computed, place, exact));
    }

    void addH(double volume, double[] computed, int place, double[] exact) {
      largestH = Math.max(largestH, largest(computed, place, exact));
      squaredH.add(volume * squared(computed, place, exact));
    }

    void addStart(double volume, double[] exact) {
      squaredStart.add(volume * (exact[0] * exact[0] + exact[1] * exact[1] + exact[2] * exact[2]));
    }

    FieldErrors total() {
      return new FieldErrors(
          largestE, largestH, squaredE.value(), squaredH.value(), squaredStart.value());
    }

    private static double largest(double[] computed, int place, double[] exact) {
      double largest = 0;
      for (int axis = 0; axis < 3; axis++) {
        largest = Math.max(largest, Math.abs(computed[place + axis] - exact[axis]));
      }
      return largest;
    }

    private static double squared(double[] computed, int place, double[] exact) {
      double sum = 0;
      for (int axis = 0; axis < 3; axis++) {
        double error = computed[place + axis] - exact[axis];
        sum += error * error;
      }
      return sum;
    }
  }
}
