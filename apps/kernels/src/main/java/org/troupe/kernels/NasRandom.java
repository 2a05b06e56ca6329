package org.troupe.kernels;

/**
 * The random numbers of the NAS benchmarks: x' = a x mod 2^46, with a = 5^13, from a seed of
 * 314159265.
 */
final class NasRandom {

  private static final long FACTOR = 1_220_703_125;
  private static final long SEED = 314_159_265;
  private static final long MASK = (1L << 46) - 1;
  private static final double UNIT = 0x1p-46;

  private long state = SEED;

  /** Returns the next number between 0 and 1. */
  double next() {
    state = FACTOR * state & MASK; // the lower 46 bits of a product need no more of its factors
    return state * UNIT;
  }

  /** Skips so many numbers. */
  void skip(long count) {
    var power = FACTOR;
    for (var left = count; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        state = state * power & MASK;
      }
      power = power * power & MASK;
    }
  }
}
