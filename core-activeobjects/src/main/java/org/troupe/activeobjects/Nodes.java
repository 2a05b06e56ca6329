package org.troupe.activeobjects;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The nodes of a virtual node, or of a grid: a live set, in the order in which they joined. May be
 * shared between threads.
 *
 * <p>May travel to the nodes of its own grid, where it is the live set that the receiving node
 * knows.
 */
public interface Nodes extends Iterable<Node> {

  /** Returns the nodes that are present now, in the order in which they joined; a snapshot. */
  List<Node> list();

  /** Returns the number of nodes that are present now. */
  default int size() {
    return list().size();
  }

  /**
   * Returns the node that joined first among the present ones, which need not have the first name.
   *
   * @throws IllegalStateException if there is none; {@link #await} waits for one
   */
  default Node first() {
    return get(0);
  }

  /**
   * Returns the node at an index, from 0, among the present ones in the order of joining.
   *
   * @throws IllegalArgumentException if the index is negative
   * @throws IllegalStateException if there are fewer; {@link #await} waits for them
   */
  Node get(int index);

  /**
   * Waits until enough nodes are present.
   *
   * @return the nodes, in a set that stays live
   * @throws TimeoutException if the time is over; the message names the missing nodes and the
   *     reasons
   * @throws NodesMissingException if enough can never come, because too many have failed
   */
  Nodes await(Quorum quorum, Duration timeout) throws TimeoutException, InterruptedException;

  /**
   * Runs the listener on a virtual thread for each present node and for each node that joins later.
   * All listeners of a set run one at a time, in the order of the changes, so that a slow listener
   * delays the others.
   */
  void onJoin(Consumer<Node> listener);

  /** Runs the listener for each node that leaves or dies, with the reason, on a virtual thread. */
  void onLeave(BiConsumer<Node, String> listener);

  /**
   * Runs the listener on a virtual thread for each node that announces its leave, with the reason:
   * a node that is {@linkplain #release released}, or that its batch system asks to end. The node
   * is no longer listed but still serves. In the program that deployed the grid the node leaves
   * when the listener has returned; a batch system may allow only some seconds.
   */
  void onLeaving(BiConsumer<Node, String> listener);

  /**
   * Requests more nodes from the infrastructure of this set and returns at once. The nodes join
   * when they have started; {@link #await} takes them into account. If several elements of the
   * descriptor provide nodes of this set, requests are divided among them in turn. A batch system
   * gets one more job for its share, in whole machines as its element says, so that more nodes may
   * join than were requested.
   *
   * @throws UnsupportedOperationException anywhere but in the program that deployed the grid
   * @throws IllegalArgumentException if the number is not positive
   */
  void request(int more);

  /**
   * Releases a node: it announces its leave, then ends; later calls to it fail with an error that
   * says so. Resources that only this node used, such as its batch job, are returned.
   *
   * <p>A listener of this set may wait for the result; while it waits it does not delay the others.
   *
   * @return a future that completes when the node has left
   * @throws UnsupportedOperationException anywhere but in the program that deployed the grid
   * @throws IllegalArgumentException if it is not one of these nodes
   */
  CompletableFuture<Void> release(Node node);

  /**
   * Returns a set that holds only the {@linkplain ActiveObjects#node() node of this JVM} and never
   * changes, so that a program written for the nodes of a grid also runs without one. Send the node
   * rather than the set to other nodes: for them the set reports no loss of this JVM.
   */
  static Nodes here() {
    return new SingleNodeSet(ActiveObjects.node());
  }

  /** Returns a quorum of at least {@code count} nodes. */
  static Quorum atLeast(int count) {
    return new Quorum.AtLeast(count);
  }

  /** Returns the quorum of all nodes of the descriptor, for the program that deployed the grid. */
  static Quorum all() {
    return new Quorum.All();
  }

  /** The number of nodes that {@link #await} waits for. */
  sealed interface Quorum {

    /**
     * A number of nodes.
     *
     * @param count at least 1
     */
    record AtLeast(int count) implements Quorum {

      /** Checks that the number is positive. */
      public AtLeast {
        if (count < 1) {
          throw new IllegalArgumentException("atLeast(" + count + ") waits for nothing; give 1");
        }
      }
    }

    /** As many nodes as the descriptor declares. */
    record All() implements Quorum {}
  }
}
