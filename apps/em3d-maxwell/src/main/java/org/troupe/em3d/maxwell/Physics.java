package org.troupe.em3d.maxwell;

import java.util.List;

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

  /** A cavity with perfectly conducting walls and no sources. */
  public static Physics cavity(Media media) {
    return new Physics(media, Boundaries.everywhere(Boundary.PEC), List.of());
  }
}
