package org.troupe.em3d.kernel;

/**
 * A sum whose error does not grow with the number of terms. Not for sharing between threads.
 *
 * <p>A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54
 * (1974) 39-51.
 */
public final class CompensatedSum {

  private double sum;
  private double lost;

  /** Starts at zero. */
  public CompensatedSum() {}

  /** Resets the sum to zero. */
  public void reset() {
    sum = 0;
    lost = 0;
  }

  /** Adds a term. */
  public void add(double term) {
    double next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }

  /** The sum so far. */
  public double value() {
    // Past an overflow the correction is not a number and would hide the infinity.
    return Double.isFinite(sum) ? sum + lost : sum;
  }
}
