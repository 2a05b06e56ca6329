package org.troupe.satin.programs;

import ibis.satin.SatinObject;

/** Fibonacci numbers by their definition: nothing but spawns. */
public class Fib extends SatinObject implements FibInterface {
  private static final long serialVersionUID = 1;

  @Override
  public long fib(int n) {
    if (n < 2) {
      return n;
    }
    long x = fib(n - 1);
    long y = fib(n - 2);
    sync();
    return x + y;
  }

  static long check(int n) {
    long a = 0;
    long b = 1;
    for (int i = 0; i < n; i++) {
      long next = a + b;
      a = b;
      b = next;
    }
    return a;
  }

  public static void main(String[] args) {
    int n = CheckedResult.size(args, 20, 0, 60);
    Fib f = new Fib();
    long result = f.fib(n);
    f.sync();
    CheckedResult.print("fib(" + n + ") = " + result, result == check(n));
  }
}
