package org.troupe.activeobjects.internal.peer;

import java.util.List;
import org.troupe.activeobjects.internal.marshal.CompositeToken;
import org.troupe.activeobjects.internal.marshal.EncodedFailure;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;

/** Keeps what belongs to one grid from being sent to nodes of another, which cannot reach it. */
public final class GridBoundary {

  private GridBoundary() {}

  /** Encodes a failure for a peer, but leaves behind what is of another grid. */
  public static EncodedFailure encodedFailure(
      Throwable failure, NodeObjects node, Membership grid) {
    var encoded = node.marshaller().failures().encode(failure);
    try {
      requireOneGrid(encoded.side(), grid);
      return encoded;
    } catch (IllegalArgumentException e) {
      return new EncodedFailure(encoded.summary(), null);
    }
  }

  /**
   * Refuses what is of another grid than the node that it would be sent to.
   *
   * @param side what stands beside encoded values
   * @throws IllegalArgumentException which names what is refused
   */
  public static void requireOneGrid(List<Object> side, Membership grid) {
    for (var i = 0; i < side.size(); i++) { // most often there is none
      requireOneGrid(side.get(i), grid);
    }
  }

  static void requireOneGrid(Object token, Membership grid) {
    switch (token) {
      case Reference<?> reference when isOfOther(reference, grid) -> throw ofOtherGrid(reference);
      case ExplicitReference(Reference<?> reference) when isOfOther(reference, grid) ->
          throw ofOtherGrid(reference);
      case NodeToken node when !node.isLocal() && node.access() != grid -> throw ofOtherGrid(node);
      case NodesToken nodes when nodes.access() != grid -> throw ofOtherGrid(nodes);
      case CompositeToken group -> requireOneGrid(group.parts(), grid);
      default -> {
        // It stands for something of this node.
      }
    }
  }

  private static boolean isOfOther(Reference<?> reference, Membership grid) {
    return reference.target() instanceof Reference.Target.Elsewhere(var home, _, _, _, _)
        && GridNode.of(home).access() != grid;
  }

  private static IllegalArgumentException ofOtherGrid(Object what) {
    return new IllegalArgumentException(
        what
            + " cannot be sent to a node of another grid, as nodes of different grids do not reach"
            + " each other; send something of one grid, or an object of this JVM that calls it");
  }
}
