package org.troupe.mpj.comm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** A graph of ranks. Immutable. */
public final class GraphTopology implements Topology {

  private final int[] index; // of each rank, the end of its edges
  private final int[] edges;

  private GraphTopology(int[] index, int[] edges) {
    this.index = index.clone();
    this.edges = edges.clone();
  }

  /** Returns a graph, if it is right. */
  static GraphTopology of(int @Nullable [] index, int @Nullable [] edges) {
    if (index == null || edges == null) {
      throw MessagingError.of(ErrorClass.ARG, "the index or the edges of a graph are null");
    }
    var last = 0;
    for (var each : index) {
      if (each < last) {
        throw MessagingError.of(
            ErrorClass.TOPOLOGY, "the index of a graph must not fall: " + Arrays.toString(index));
      }
      last = each;
    }
    if (last != edges.length) {
      throw MessagingError.of(
          ErrorClass.TOPOLOGY,
          "the index of a graph ends with " + last + ", but there are " + edges.length + " edges");
    }
    for (var each : edges) {
      if (each < 0 || each >= index.length) {
        throw MessagingError.of(
            ErrorClass.TOPOLOGY,
            "an edge leads to "
                + each
                + ", but the graph has the ranks 0 to "
                + (index.length - 1));
      }
    }
    return new GraphTopology(index, edges);
  }

  /** Returns the communicator of a graph; {@code null} for ranks that are not in it. Collective. */
  public static @Nullable Communicator create(
      Communicator old, int @Nullable [] index, int @Nullable [] edges) {
    var graph = of(index, edges);
    old.collectives();
    if (graph.index.length > old.size()) {
      throw MessagingError.of(
          ErrorClass.TOPOLOGY,
          "the graph has "
              + graph.index.length
              + " ranks, but the communicator only "
              + old.size());
    }
    return old.arranged(graph.index.length, graph);
  }

  /** Returns the rank that the caller would have; {@link Communicator#UNDEFINED} if none. */
  public static int map(Communicator old, int @Nullable [] index, int @Nullable [] edges) {
    return old.rank() < of(index, edges).index.length ? old.rank() : Communicator.UNDEFINED;
  }

  /** Returns the ends of the edges of each rank. */
  public int[] index() {
    return index.clone();
  }

  /** Returns the edges. */
  public int[] edges() {
    return edges.clone();
  }

  /** Returns the neighbours of a rank. */
  public int[] neighbours(int rank) {
    if (rank < 0 || rank >= index.length) {
      throw MessagingError.of(
          ErrorClass.RANK,
          "rank " + rank + " is not in the graph, which has the ranks 0 to " + (index.length - 1));
    }
    return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
  }
}
