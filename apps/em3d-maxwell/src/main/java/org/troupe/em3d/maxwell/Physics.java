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
public record Physics(Media media, Boundaries boundaries, List<Source> sources) {

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
  public Physics on(WholeMesh mesh, Order order) {
    return new Physics(
        media,
        boundaries,
        sources.stream()
            .map(source -> source instanceof Source.Dipole dipole ? dipole.on(mesh, order) : source)
            .toList());
  }

  /** A cavity with perfectly conducting walls and no sources. */
  public static Physics cavity(Media media) {
    return new Physics(media, Boundaries.everywhere(Boundary.PEC), List.of());
  }
}
