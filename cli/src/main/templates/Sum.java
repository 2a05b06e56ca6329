package PACKAGE_NAME;

/** Adds up a part of the integral whose value is pi; an ordinary class, which runs on any node. */
public class Sum {

  private final double step;
  private double total;

  public Sum(double step) {
    this.step = step;
  }

  /** Adds some of the terms; as it returns nothing, a call on another node does not wait. */
  public void add(long from, long to) {
    for (long i = from; i < to; i++) {
      double x = (i + 0.5) * step;
      total += 4 / (1 + x * x) * step;
    }
  }

  /** Returns the sum of all terms that were added by earlier calls. */
  public double total() {
    return total;
  }
}
