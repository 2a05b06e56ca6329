package org.troupe.em3d.physics;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The boundary conditions of all outer faces. To be sent to other nodes, an implementation must be
 * a plain value, as those here are.
 */
@FunctionalInterface
public interface BoundaryMap {

  /**
   * Returns the condition of the outer face with this barycentre (metres), in the physical surface
   * of this name (empty: in none).
   */
  BoundaryCondition at(String surface, double x, double y, double z);

  /** Returns one condition for all outer faces. */
  static BoundaryMap everywhere(BoundaryCondition boundary) {
    return new Everywhere(boundary);
  }

  /** Returns one condition per physical surface; all other faces are perfect conductors. */
  static BoundaryMap bySurface(Map<String, BoundaryCondition> boundaries) {
    return new BySurface(Map.copyOf(boundaries));
  }

  /**
   * Returns the conditions that the names of the physical surfaces stand for: {@code pec}, {@code
   * pmc} or {@code absorbing}. Faces in no surface, or in one with a number only, are perfect
   * conductors.
   *
   * @param surfaces the names of all surfaces with outer faces
   * @throws IllegalArgumentException if a surface has another name
   */
  static BoundaryMap byName(Collection<String> surfaces) {
    Map<String, BoundaryCondition> boundaries = new TreeMap<>();
    for (String surface : surfaces) {
      if (!surface.chars().allMatch(Character::isDigit)) {
        boundaries.put(
            surface,
            BoundaryCondition.of(surface)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "the physical surface '%s' names no boundary condition; call it pec, pmc or absorbing in the mesh"
                                .formatted(surface))));
      }
    }
    return bySurface(boundaries);
  }

  /** One condition for all outer faces. */
  record Everywhere(BoundaryCondition boundary) implements BoundaryMap {
    @Override
    public BoundaryCondition at(String surface, double x, double y, double z) {
      return boundary;
    }
  }

  /** One condition per physical surface; perfect conductors elsewhere. */
  record BySurface(Map<String, BoundaryCondition> boundaries) implements BoundaryMap {
    @Override
    public BoundaryCondition at(String surface, double x, double y, double z) {
      return boundaries.getOrDefault(surface, BoundaryCondition.PEC);
    }
  }
}
