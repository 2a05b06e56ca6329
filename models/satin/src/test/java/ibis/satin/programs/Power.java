package ibis.satin.programs;

import ibis.satin.SatinObject;

/** Powers of two: nothing but spawns. */
public class Power extends SatinObject implements PowerInterface {
  private static final long serialVersionUID = 1;

  @Override
  public long power(int n) {
    if (n == 0) {
      return 1;
    }
    long x = power(n - 1);
    long y = power(n - 1);
    sync();
    return x + y;
  }

  public static void main(String[] args) {
    int n = Integer.parseInt(args[0]);
    Power p = new Power();
    long result = p.power(n);
    p.sync();
    Check.that("2^" + n + " = " + result, result == 1L << n);
  }
}
