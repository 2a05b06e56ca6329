/**
 * The physics of a run, apart from any mesh: media, boundary conditions, sources and monitors, and
 * the fields that are known exactly.
 *
 * <p>A {@link org.troupe.em3d.physics.Physics} names the media and the boundary conditions by place
 * and lists the sources; read it first. All types are plain values, which travel to the nodes. The
 * exact fields ({@link org.troupe.em3d.physics.CavityMode}, {@link
 * org.troupe.em3d.physics.SphereMode}, {@link org.troupe.em3d.physics.FreeField}) give initial
 * values and expected results.
 *
 * <p>All quantities are normalised: lengths are in metres; time is multiplied by c0 and so in
 * metres, too; H is multiplied by Z0 and so in V/m like E; permittivity and permeability are
 * relative. An energy in joules is eps0 times the normalised one.
 *
 * <p>This package must not know meshes, nor how the equations are discretised.
 */
@NullMarked
package org.troupe.em3d.physics;

import org.jspecify.annotations.NullMarked;
