package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.NodeId;

/**
 * A message on its way to an object that may have moved.
 *
 * @param content what the object is to receive, a mark, or the end of a queue
 * @param epoch the epoch of the host for which the message is meant
 * @param view the number of the view of the grid with the last loss that its senders had applied; a
 *     node neither takes nor forwards the message before it has applied that view
 * @param hops the nodes that have forwarded the message
 * @param previous the key of the route from which the last sender sent it
 */
public record Routed<M>(Content<M> content, int epoch, long view, List<NodeId> hops, int previous) {

  /** The kinds of routed messages. */
  public sealed interface Content<M> {

    /** A message for the object. */
    record Message<M>(M message) implements Content<M> {}

    /**
     * The last message that takes the old path of a route. Its arrival proves that all earlier ones
     * have arrived.
     *
     * @param owner the node of the route
     * @param route the key of the route on that node
     * @param number counts the marks of the route
     */
    record Mark<M>(NodeId owner, int route, long number) implements Content<M> {}

    /** The end of the queue that follows an object to its new host. */
    record TailEnd<M>() implements Content<M> {}
  }

  static <M> Routed<M> first(Content<M> content) {
    return new Routed<>(content, 0, 0, List.of(), Route.OF_CALLERS);
  }

  Routed<M> from(Route<M> route, Place to, long lastLoss) {
    return new Routed<>(content, to.epoch(), Math.max(view, lastLoss), hops, route.key());
  }

  /** Returns this message as one for another stay of the object on the same node. */
  Routed<M> to(int stay) {
    return stay == epoch ? this : new Routed<>(content, stay, view, hops, previous);
  }

  Routed<M> forwardedBy(NodeId node) {
    var passed = new ArrayList<>(hops);
    passed.add(node);
    return new Routed<>(content, epoch, view, List.copyOf(passed), previous);
  }
}
