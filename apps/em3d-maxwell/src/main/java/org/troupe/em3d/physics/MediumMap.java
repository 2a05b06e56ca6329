package org.troupe.em3d.physics;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The medium at each place. To be sent to other nodes, an implementation must be a plain value, as
 * those here are.
 */
@FunctionalInterface
public interface MediumMap {

  /**
   * Returns the medium of the cell with this barycentre (metres), in the physical volume of this
   * name (empty: in none).
   */
  Medium at(String region, double x, double y, double z);

  /** Returns one medium for the whole space. */
  static MediumMap uniform(Medium medium) {
    return new Uniform(medium);
  }

  /** Returns one medium per physical volume; all volumes of the mesh must be named. */
  static MediumMap byRegion(Map<String, Medium> media) {
    return new ByRegion(Map.copyOf(media));
  }

  /** Returns media in boxes and, outside of all boxes, those of another map. */
  static MediumMap inBoxes(List<Filled> filled, MediumMap elsewhere) {
    return new InBoxes(List.copyOf(filled), elsewhere);
  }

  /** A box and its medium. */
  record Filled(AxisAlignedBox box, Medium medium) {}

  /** Where boxes overlap, the last one counts. */
  record InBoxes(List<Filled> filled, MediumMap elsewhere) implements MediumMap {
    @Override
    public Medium at(String region, double x, double y, double z) {
      for (int k = filled.size() - 1; k >= 0; k--) {
        if (filled.get(k).box().contains(x, y, z)) {
          return filled.get(k).medium();
        }
      }
      return elsewhere.at(region, x, y, z);
    }
  }

  /** One medium in the whole space. */
  record Uniform(Medium medium) implements MediumMap {
    @Override
    public Medium at(String region, double x, double y, double z) {
      return medium;
    }
  }

  /** One medium per physical volume. */
  record ByRegion(Map<String, Medium> media) implements MediumMap {
    @Override
    public Medium at(String region, double x, double y, double z) {
      Medium medium = media.get(region);
      if (medium == null) {
        throw new IllegalArgumentException(
            "the mesh has a physical volume '%s', but media are given for %s only; add it"
                .formatted(region, new TreeSet<>(media.keySet())));
      }
      return medium;
    }
  }
}
