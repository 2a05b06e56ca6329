package org.troupe.classics.superoptimizer;

/**
 * What a sequence may have to compute of the two numbers in the registers; written as users write
 * it.
 */
enum TargetFunction {
  /** Whether the first is less than the second, both without sign. */
  less {
    @Override
    int of(int a, int b) {
      return (a & 0xff) < (b & 0xff) ? 1 : 0;
    }
  },
  /** -1, 0 or 1 as the first is negative, zero or positive. */
  signum {
    @Override
    int of(int a, int b) {
      return Integer.signum(a);
    }
  },
  /** The first without its sign. */
  abs {
    @Override
    int of(int a, int b) {
      return Math.abs(a);
    }
  };

  /** Returns the value for numbers from -128 to 127; its lowest eight bits count. */
  abstract int of(int a, int b);
}
