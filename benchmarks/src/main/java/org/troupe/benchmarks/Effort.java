package org.troupe.benchmarks;

/**
 * How long to measure.
 *
 * @param rounds how many turns each side of a comparison has
 * @param roundMillis how long a turn lasts at least, where the time can be chosen
 * @param warmUpMillis how long a side runs before its first turn
 * @param longRounds turns of those benchmarks whose turns last seconds
 * @param solverSteps steps of the solver in a turn
 */
record Effort(int rounds, int roundMillis, int warmUpMillis, int longRounds, int solverSteps) {

  static final Effort FULL = new Effort(11, 300, 3000, 3, 100);

  static final Effort QUICK = new Effort(5, 100, 700, 1, 20);

  /** Between two JVMs there is more to compile, and the compilers share the one core. */
  private static final int PAIR_WARM_UPS = 3;

  /** How long two JVMs run together before their first turn. */
  int pairWarmUpMillis() {
    return PAIR_WARM_UPS * warmUpMillis;
  }

  /** For a table of many figures, whose JVMs are warm from one for the next. */
  Effort forMany() {
    return new Effort(
        rounds, roundMillis / 2, warmUpMillis / (2 * PAIR_WARM_UPS), longRounds, solverSteps);
  }
}
