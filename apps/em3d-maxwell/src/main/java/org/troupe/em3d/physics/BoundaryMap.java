package org.troupe.em3d.physics;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says what happens at the outer faces. To be sent to other nodes, an implementation must be a
 * plain value, as those here are.
 */
@FunctionalInterface
public interface BoundaryMap {

  /**
   * What happens at the outer face with this barycentre (metres) in the physical surface of this
   * name (empty if it has none).
   */
  BoundaryCondition at(String surface, double x, double y, double z);

  /** The same everywhere. */
  static BoundaryMap everywhere(BoundaryCondition boundary) {
    return new Everywhere(boundary);
  }

  /** One for each physical surface; faces of others, and of none, conduct perfectly. */
  static BoundaryMap bySurface(Map<String, BoundaryCondition> boundaries) {
    return new BySurface(Map.copyOf(boundaries));
  }

  /**
   * Each physical surface is what it is called: {@code pec}, {@code pmc} or {@code absorbing}.
   * Faces in none, and in one that has but a number, conduct perfectly.
   *
   * @param surfaces the names of those that have outer faces
   * @throws IllegalArgumentException if one is called otherwise
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
                            "what the outer faces in the physical surface '%s' do is not known; call it pec, pmc or absorbing in the mesh"
                                .formatted(surface))));
      }
    }
    return bySurface(boundaries);
  }

  /** The same everywhere. */
  record Everywhere(BoundaryCondition boundary) implements BoundaryMap {
    @Override
    public BoundaryCondition at(String surface, double x, double y, double z) {
      return boundary;
    }
  }

  /** One for each physical surface. */
  record BySurface(Map<String, BoundaryCondition> boundaries) implements BoundaryMap {
    @Override
    public BoundaryCondition at(String surface, double x, double y, double z) {
      return boundaries.getOrDefault(surface, BoundaryCondition.PEC);
    }
  }
}
