package org.troupe.classics.superoptimizer;

/**
 * A function of the two numbers in the registers that a sequence has to compute. The constants are
 * option values.
 */
enum TargetFunction {
  /** 1 if the first number is less than the second, both unsigned, else 0. */
  less {
    @Override
    int of(int a, int b) {
      return (a & 0xff) < (b & 0xff) ? 1 : 0;
    }
  },
  /** -1, 0 or 1 if the first number is negative, zero or positive. */
  signum {
    @Override
    int of(int a, int b) {
      return Integer.signum(a);
    }
  },
  /** The absolute value of the first number. */
  abs {
    @Override
    int of(int a, int b) {
      return Math.abs(a);
    }
  };

  /** Returns the value for numbers from -128 to 127; only its lowest eight bits count. */
  abstract int of(int a, int b);
}
