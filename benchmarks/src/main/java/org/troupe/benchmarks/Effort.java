package org.troupe.benchmarks;

/**
 * How long to measure. How long to warm up is no question of effort: see {@link WarmUp}.
 *
 * @param rounds how many turns each side of a comparison has
 * @param roundMillis how long a turn lasts at least, where the time can be chosen
 * @param longRounds turns of those benchmarks whose turns last seconds
 * @param solverSteps steps of the solver in a turn
 * @param solverJvms over how many JVMs the solver is spread at most
 */
record Effort(int rounds, int roundMillis, int longRounds, int solverSteps, int solverJvms) {

  static final Effort FULL = new Effort(11, 300, 3, 100, 4);

  static final Effort QUICK = new Effort(5, 100, 1, 20, 2);

  /** For a table of many figures. */
  Effort forMany() {
    return new Effort(rounds, roundMillis / 2, longRounds, solverSteps, solverJvms);
  }
}
