package org.troupe.em3d.kernel;

import java.util.Arrays;

/**
 * A sum that is rounded only once, when its value is read. It is equal to the last bit for every
 * order of the terms and every grouping into partial sums. Not for sharing between threads.
 *
 * <p>The sum is kept exactly, as a non-overlapping expansion. J. Shewchuk, Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates, Discrete and Computational
 * Geometry 18 (1997) 305-363.
 */
public final class ExactSum {

  private double[] terms = new double[4]; // of increasing size, none of them zero
  private int count;
  private double unbounded; // the sum of infinities and NaN, which have no expansion

  /** Starts at zero. */
  public ExactSum() {}

  /** Adds a term. */
  public void add(double term) {
    double x = term;
    int kept = 0;
    for (int k = 0; k < count; k++) {
      double y = terms[k];
      double sum = x + y;
      double lost = Math.abs(x) < Math.abs(y) ? x - (sum - y) : y - (sum - x);
      if (lost != 0) {
        terms[kept++] = lost;
      }
      x = sum;
    }
    count = kept;
    if (!Double.isFinite(x)) {
      unbounded += x;
      count = 0;
    } else if (x != 0) {
      if (count == terms.length) {
        terms = Arrays.copyOf(terms, 2 * count);
      }
      terms[count++] = x;
    }
  }

  /** Returns the exact sum as terms to be added elsewhere, and resets it to zero. */
  public double[] drain() {
    double[] taken = unbounded == 0 ? Arrays.copyOf(terms, count) : new double[] {unbounded};
    count = 0;
    unbounded = 0;
    return taken;
  }

  /** Returns the sum, rounded to the nearest double, ties to even. */
  public double value() {
    if (unbounded != 0) {
      return unbounded;
    }
    if (count == 0) {
      return 0;
    }
    int k = count - 1;
    double high = terms[k];
    double low = 0;
    while (k > 0 && low == 0) {
      double before = high;
      double next = terms[--k];
      high = before + next;
      low = next - (high - before);
    }
    // Half a unit in the last place with more terms of its sign below is not a tie: round up.
    if (k > 0 && (low < 0 && terms[k - 1] < 0 || low > 0 && terms[k - 1] > 0)) {
      double twice = 2 * low;
      double up = high + twice;
      if (up - high == twice) {
        return up;
      }
    }
    return high;
  }
}
