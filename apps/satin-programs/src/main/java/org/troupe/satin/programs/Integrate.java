package org.troupe.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;

interface IntegrateInterface extends Spawnable {
  double integrate(double a, double b, double epsilon);
}

/** Adaptive integration: intervals are halved where the trapezium and its halves differ. */
public class Integrate extends SatinObject implements IntegrateInterface {
  private static final long serialVersionUID = 1;

  static double f(double x) {
    return 0.1 * x * Math.sin(x);
  }

  /** The antiderivative of f. */
  static double antiderivative(double x) {
    return 0.1 * (Math.sin(x) - x * Math.cos(x));
  }

  @Override
  public double integrate(double a, double b, double epsilon) {
    double middle = (a + b) / 2;
    double whole = (b - a) / 2 * (f(a) + f(b));
    double halves = (middle - a) / 2 * (f(a) + f(middle)) + (b - middle) / 2 * (f(middle) + f(b));
    if (Math.abs(whole - halves) < epsilon) {
      return halves;
    }
    double left = integrate(a, middle, epsilon);
    double right = integrate(middle, b, epsilon);
    sync();
    return left + right;
  }

  public static void main(String[] args) {
    int b = CheckedResult.size(args, 100, 1, 10000);
    Integrate i = new Integrate();
    double result = i.integrate(0.3, b, 1e-6);
    i.sync();
    double exact = antiderivative(b) - antiderivative(0.3);
    // Each interval errs by less than epsilon; there are some ten thousand.
    CheckedResult.print("integral to " + b + ": " + result, Math.abs(result - exact) < 1e-2);
  }
}
