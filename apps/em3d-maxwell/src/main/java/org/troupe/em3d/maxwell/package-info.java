/**
 * Maxwell's equations in the time domain on one sub-domain: centred fluxes and leapfrog on
 * tetrahedra, for fields that are constant or linear in each cell.
 *
 * <p>{@link org.troupe.em3d.maxwell.SubDomain} holds the fields of one sub-domain and advances
 * them; read it first. Half a step adds the curl ({@code em3d.kernel}), then {@code NonCurlTerms}:
 * walls, losses and sources. {@link org.troupe.em3d.maxwell.SequentialSolver} is the method without
 * divisions and optimisations, to which all others must be equal to the last bit; {@link
 * org.troupe.em3d.maxwell.LockstepSolver} advances all sub-domains of a mesh in one thread.
 *
 * <p>The method for constants is that of S. Piperno, M. Remaki, L. Fezoui, A nondiffusive finite
 * volume scheme for the three-dimensional Maxwell's equations on unstructured meshes, SIAM J.
 * Numer. Anal. 39 (2002) 2089-2108; quantities are normalised as in {@code em3d.physics}.
 *
 * <p>This package must not know distribution: callers carry the border values.
 */
@NullMarked
package org.troupe.em3d.maxwell;

import org.jspecify.annotations.NullMarked;
