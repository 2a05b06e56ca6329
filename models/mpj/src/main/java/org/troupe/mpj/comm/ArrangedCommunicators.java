package org.troupe.mpj.comm;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** Makes communicators whose ranks have a topology. All methods are collective. */
public final class ArrangedCommunicators {

  private ArrangedCommunicators() {}

  /** Returns the communicator of a grid; {@code null} for ranks without a place. */
  public static @Nullable Communicator cartesian(
      Communicator old, int @Nullable [] dimensions, boolean @Nullable [] periods) {
    var grid = CartesianTopology.of(dimensions, periods);
    old.collectives();
    if (grid.places() > old.size()) {
      throw MessagingError.of(
          ErrorClass.DIMS,
          "a grid of "
              + Arrays.toString(dimensions)
              + " has more places than the communicator has ranks, which is "
              + old.size());
    }
    return old.arranged((int) grid.places(), grid);
  }

  /** Returns the communicator of the caller's part of a grid in some dimensions. */
  public static Communicator part(
      Communicator old, CartesianTopology grid, boolean @Nullable [] kept) {
    var part = grid.part(old.rank(), kept);
    var made = old.split(part.colour(), part.key(), part::grid);
    return Objects.requireNonNull(made, "each rank has a part");
  }

  /** Returns the communicator of a graph; {@code null} for ranks that are not in it. */
  public static @Nullable Communicator graph(
      Communicator old, int @Nullable [] index, int @Nullable [] edges) {
    var graph = GraphTopology.of(index, edges);
    old.collectives();
    if (graph.size() > old.size()) {
      throw MessagingError.of(
          ErrorClass.TOPOLOGY,
          "the graph has " + graph.size() + " ranks, but the communicator only " + old.size());
    }
    return old.arranged(graph.size(), graph);
  }
}
