package org.troupe.classics.water;

/**
 * The result of the simulation.
 *
 * @param positions of all atoms after the steps that are {@link #compared}, in nm
 * @param energies of all molecules in the beginning and after each step, in kJ/mol
 */
record WaterState(double[] positions, double[] energies) {

  /** After how many steps two ways to add forces up still lead to the same places. */
  static final int COMPARED = 500;

  /** Returns how many of so many steps those are. */
  static int compared(int steps) {
    return Math.min(steps, COMPARED);
  }
}
