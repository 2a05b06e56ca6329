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

  static final Effort QUICK = new Effort(5, 150, 1500, 1, 20);
}
