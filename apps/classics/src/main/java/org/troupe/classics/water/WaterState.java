package org.troupe.classics.water;

/**
 * The result of the simulation.
 *
 * @param positions the positions of all atoms after the {@link #compared} steps, in nm
 * @param energies the energies of all molecules, initially and after each step, in kJ/mol
 */
record WaterState(double[] positions, double[] energies) {

  /** The number of steps after which positions still agree for different orders of summation. */
  static final int COMPARED = 500;

  /** Returns how many of a run's steps are compared. */
  static int compared(int steps) {
    return Math.min(steps, COMPARED);
  }
}
