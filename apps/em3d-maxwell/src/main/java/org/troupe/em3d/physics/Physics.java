package org.troupe.em3d.physics;

import java.util.List;

/**
 * The media, boundary conditions and sources of a problem.
 *
 * @param media the medium at each place
 * @param boundaries the conditions at the outer faces
 * @param sources the sources of the fields
 */
public record Physics(MediumMap media, BoundaryMap boundaries, List<FieldSource> sources) {

  /** The speed of light in metres per second; exact by the definition of the metre. */
  public static final double SPEED_OF_LIGHT = 299_792_458;

  /** The permittivity of vacuum in farads per metre: 1 / (mu0 c0^2) with mu0 = 4 pi 1e-7 H/m. */
  public static final double VACUUM_PERMITTIVITY =
      1 / (4e-7 * Math.PI * SPEED_OF_LIGHT * SPEED_OF_LIGHT);

  /** The impedance of vacuum in ohms: mu0 c0 with mu0 = 4 pi 1e-7 H/m. */
  public static final double VACUUM_IMPEDANCE = 4e-7 * Math.PI * SPEED_OF_LIGHT;

  /** Copies the sources. */
  public Physics {
    sources = List.copyOf(sources);
  }

  /** Returns the physics of a cavity with perfectly conducting walls and no sources. */
  public static Physics cavity(MediumMap media) {
    return new Physics(media, BoundaryMap.everywhere(BoundaryCondition.PEC), List.of());
  }
}
