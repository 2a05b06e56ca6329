package org.troupe.benchmarks;

/**
 * How long to measure. How long to warm up is no question of effort: see {@link WarmUp}.
 *
 * @param rounds how many turns each side of a comparison has
 * @param roundMillis how long a turn lasts at least, where the time can be chosen
 * @param longRounds turns of those benchmarks whose turns last seconds
 * @param solverSteps steps of the solver in a turn
 */
record Effort(int rounds, int roundMillis, int longRounds, int solverSteps) {

  static final Effort FULL = new Effort(11, 300, 3, 100);

  static final Effort QUICK = new Effort(5, 100, 1, 20);

  /** For a table of many figures. */
  Effort forMany() {
    return new Effort(rounds, roundMillis / 2, longRounds, solverSteps);
  }
}
