package org.troupe.mpj.comm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** A grid of ranks, counted by rows. Immutable. */
public final class CartesianTopology implements Topology {

  private final int[] dimensions;
  private final boolean[] periods;

  private CartesianTopology(int[] dimensions, boolean[] periods) {
    this.dimensions = dimensions.clone();
    this.periods = periods.clone();
  }

  /** Returns a grid, if it is right. */
  static CartesianTopology of(int @Nullable [] dimensions, boolean @Nullable [] periods) {
    if (dimensions == null || periods == null || dimensions.length != periods.length) {
      throw MessagingError.of(
          ErrorClass.DIMS, "a grid needs dimensions, and for each whether it is periodic");
    }
    for (var each : dimensions) {
      if (each <= 0) {
        throw MessagingError.of(
            ErrorClass.DIMS,
            "the dimensions are "
                + Arrays.toString(dimensions)
                + "; each must be at least 1, as Dims_create makes them");
      }
    }
    return new CartesianTopology(dimensions, periods);
  }

  /** Returns the number of places, or a larger number than there can be ranks. */
  long places() {
    var places = 1L;
    for (var each : dimensions) {
      places = Math.min(places * each, Integer.MAX_VALUE + 1L);
    }
    return places;
  }

  /** Returns a rank's rank in a grid; {@link NamedConstants#UNDEFINED} if it has none. */
  public static int map(int rank, int @Nullable [] dimensions, boolean @Nullable [] periods) {
    return rank < of(dimensions, periods).places() ? rank : NamedConstants.UNDEFINED;
  }

  /** Fills the dimensions that are 0 with factors as even as can be, in falling order. */
  public static void fill(int nodes, int @Nullable [] dimensions) {
    if (dimensions == null || nodes <= 0) {
      throw MessagingError.of(
          ErrorClass.DIMS, "Dims_create needs at least one node and an array of dimensions");
    }
    var left = nodes;
    var free = 0;
    for (var each : dimensions) {
      if (each < 0 || each > 0 && left % each != 0) {
        throw MessagingError.of(
            ErrorClass.DIMS,
            nodes
                + " nodes cannot be divided into the dimensions "
                + Arrays.toString(dimensions)
                + "; set only divisors, and 0 for what is free");
      }
      if (each == 0) {
        free++;
      } else {
        left /= each;
      }
    }
    if (free == 0) {
      if (left != 1) {
        throw MessagingError.of(
            ErrorClass.DIMS,
            Arrays.toString(dimensions) + " has another number of places than " + nodes);
      }
      return;
    }
    var best = new int[free];
    divide(left, new int[free], 0, best);
    var at = 0;
    for (var i = 0; i < dimensions.length; i++) {
      if (dimensions[i] == 0) {
        dimensions[i] = best[at++];
      }
    }
  }

  /** Finds the falling factors with the least difference of the first and the last. */
  private static void divide(int left, int[] chosen, int at, int[] best) {
    if (at == chosen.length - 1) {
      chosen[at] = left;
      if ((at == 0 || left <= chosen[at - 1])
          && (best[0] == 0 || chosen[0] - left < best[0] - best[at])) {
        System.arraycopy(chosen, 0, best, 0, chosen.length);
      }
      return;
    }
    for (var factor = 1; factor <= left; factor++) {
      if (left % factor == 0 && (at == 0 || factor <= chosen[at - 1])) {
        chosen[at] = factor;
        divide(left / factor, chosen, at + 1, best);
      }
    }
  }

  /** Returns the numbers of places in each dimension. */
  public int[] dimensions() {
    return dimensions.clone();
  }

  /** Returns which dimensions are periodic. */
  public boolean[] periods() {
    return periods.clone();
  }

  /** Returns the rank at a place; places wrap around in periodic dimensions. */
  public int rank(int @Nullable [] place) {
    if (place == null || place.length < dimensions.length) {
      throw MessagingError.of(
          ErrorClass.ARG, "a place needs " + dimensions.length + " coordinates");
    }
    var rank = 0;
    for (var i = 0; i < dimensions.length; i++) {
      var at = periods[i] ? Math.floorMod(place[i], dimensions[i]) : place[i];
      if (at < 0 || at >= dimensions[i]) {
        throw MessagingError.of(
            ErrorClass.ARG,
            "coordinate "
                + i
                + " is "
                + place[i]
                + ", outside of 0 to "
                + (dimensions[i] - 1)
                + " in a dimension that is not periodic");
      }
      rank = rank * dimensions[i] + at;
    }
    return rank;
  }

  /** Returns the place of a rank. */
  public int[] place(int rank) {
    if (rank < 0 || rank >= places()) {
      throw MessagingError.of(
          ErrorClass.RANK,
          "rank " + rank + " is not in the grid, which has the ranks 0 to " + (places() - 1));
    }
    var place = new int[dimensions.length];
    var left = rank;
    for (var i = dimensions.length - 1; i >= 0; i--) {
      place[i] = left % dimensions[i];
      left /= dimensions[i];
    }
    return place;
  }

  /** Returns the rank so far away; {@link NamedConstants#PROC_NULL} beyond an edge. */
  public int neighbour(int rank, int direction, int distance) {
    if (direction < 0 || direction >= dimensions.length) {
      throw MessagingError.of(
          ErrorClass.ARG,
          "the direction is "
              + direction
              + ", but the grid has the dimensions 0 to "
              + (dimensions.length - 1));
    }
    var place = place(rank);
    var at = (long) place[direction] + distance;
    if (periods[direction]) {
      at = Math.floorMod(at, (long) dimensions[direction]);
    } else if (at < 0 || at >= dimensions[direction]) {
      return NamedConstants.PROC_NULL;
    }
    place[direction] = (int) at;
    return rank(place);
  }

  /**
   * The part of a grid that has some of its dimensions.
   *
   * @param colour distinguishes the parts
   * @param key the order of the ranks of a part
   */
  record Part(int colour, int key, CartesianTopology grid) {}

  /** Returns the part in some dimensions in which a rank is. */
  Part part(int rank, boolean @Nullable [] kept) {
    if (kept == null || kept.length != dimensions.length) {
      throw MessagingError.of(
          ErrorClass.DIMS, "Sub needs one value for each of " + dimensions.length + " dimensions");
    }
    var place = place(rank);
    var colour = 0;
    var key = 0;
    var count = 0;
    for (var i = 0; i < kept.length; i++) {
      if (kept[i]) {
        key = key * dimensions[i] + place[i];
        count++;
      } else {
        colour = colour * dimensions[i] + place[i];
      }
    }
    var dims = new int[count];
    var wraps = new boolean[count];
    for (int i = 0, at = 0; i < kept.length; i++) {
      if (kept[i]) {
        dims[at] = dimensions[i];
        wraps[at++] = periods[i];
      }
    }
    return new Part(colour, key, new CartesianTopology(dims, wraps));
  }
}
