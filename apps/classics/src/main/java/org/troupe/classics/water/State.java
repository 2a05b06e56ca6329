package org.troupe.classics.water;

/**
 * What came out.
 *
 * @param positions of all atoms, in nm
 * @param energies of all molecules in the beginning and after each step, in kJ/mol
 */
record State(double[] positions, double[] energies) {}
