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

  /** Returns a rank's rank in a graph; {@link NamedConstants#UNDEFINED} if it has none. */
  public static int map(int rank, int @Nullable [] index, int @Nullable [] edges) {
    return rank < of(index, edges).size() ? rank : NamedConstants.UNDEFINED;
  }

  /** Returns the number of ranks. */
  int size() {
    return index.length;
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
