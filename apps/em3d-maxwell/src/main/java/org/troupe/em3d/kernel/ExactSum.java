package org.troupe.em3d.kernel;

import java.util.Arrays;

/**
 * A sum that is rounded once, at its end: the same to the last bit in whatever order terms come,
 * and however they were added up in between. Not for sharing between threads.
 *
 * <p>What was added so far is kept exactly, as a few numbers of which no two overlap. J. Shewchuk,
 * Adaptive precision floating-point arithmetic and fast robust geometric predicates, Discrete and
 * Computational Geometry 18 (1997) 305-363.
 */
public final class ExactSum {

  private double[] terms = new double[4]; // of increasing size, none of them zero
  private int count;
  private double unbounded; // infinities and what is no number, which have no exact sum

  /** Begins at zero. */
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

  /** Returns what was added so far, as terms to be added elsewhere; makes it zero again. */
  public double[] take() {
    double[] taken = unbounded == 0 ? Arrays.copyOf(terms, count) : new double[] {unbounded};
    count = 0;
    unbounded = 0;
    return taken;
  }

  /** The sum, rounded to the nearest number, to the even one of two that are equally near. */
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
    // Half a unit in the last place, and more of the same sign behind it: that is no tie.
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
