package org.troupe.em3d.maxwell;

import java.util.List;
import org.troupe.em3d.mesh.WholeMesh;

/**
 * What the fields live in.
 *
 * @param media what fills the space
 * @param boundaries what happens at its outer faces
 * @param sources what brings in energy
 */
public record Physics(MediumMap media, BoundaryMap boundaries, List<FieldSource> sources) {

  /** In metres per second; exact by the definition of the metre. */
  public static final double SPEED_OF_LIGHT = 299_792_458;

  /** In farads per metre: 1 / (mu0 c0^2) with mu0 = 4 pi 1e-7 H/m. */
  public static final double VACUUM_PERMITTIVITY =
      1 / (4e-7 * Math.PI * SPEED_OF_LIGHT * SPEED_OF_LIGHT);

  /** In ohms: mu0 c0 with mu0 = 4 pi 1e-7 H/m. */
  public static final double VACUUM_IMPEDANCE = 4e-7 * Math.PI * SPEED_OF_LIGHT;

  /** Copies the sources. */
  public Physics {
    sources = List.copyOf(sources);
  }

  /**
   * Returns the same on a mesh: the currents of dipoles are divided by their sums over its cells.
   *
   * @param order of the fields that the cells will have
   * @throws IllegalArgumentException if a dipole lies between the cells
   */
  public Physics on(WholeMesh mesh, PolynomialOrder order) {
    return new Physics(
        media,
        boundaries,
        sources.stream()
            .map(
                source ->
                    source instanceof FieldSource.Dipole dipole ? dipole.on(mesh, order) : source)
            .toList());
  }

  /** A cavity with perfectly conducting walls and no sources. */
  public static Physics cavity(MediumMap media) {
    return new Physics(media, BoundaryMap.everywhere(BoundaryCondition.PEC), List.of());
  }
}
