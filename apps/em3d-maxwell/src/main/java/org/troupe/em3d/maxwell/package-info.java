/**
 * Maxwell's equations in the time domain: finite volumes of constant fields on tetrahedra, centred
 * fluxes, leapfrog.
 *
 * <p>The method is that of S. Piperno, M. Remaki, L. Fezoui, A nondiffusive finite volume scheme
 * for the three-dimensional Maxwell's equations on unstructured meshes, SIAM J. Numer. Anal. 39
 * (2002) 2089-2108.
 *
 * <p>All quantities are normalised: lengths are in metres, time is c0 times the time and so in
 * metres too, H is Z0 times the magnetic field and so in V/m like E, permittivity and permeability
 * are relative. An energy in joules is eps0 times ours.
 */
package org.troupe.em3d.maxwell;
