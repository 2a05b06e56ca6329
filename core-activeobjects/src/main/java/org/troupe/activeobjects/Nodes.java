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
 * <p>May travel to the nodes of its own grid, where it is the same live set as those know it.
 */
public interface Nodes extends Iterable<Node> {

  /** Returns the nodes that are there now; a snapshot. */
  List<Node> list();

  /** Returns how many nodes are there now. */
  default int size() {
    return list().size();
  }

  /**
   * Returns the node that joined first of those that are there now.
   *
   * @throws IllegalStateException if there is none; {@link #await} waits for one
   */
  default Node first() {
    return get(0);
  }

  /**
   * Returns the node that joined at this place among those that are there now.
   *
   * @throws IllegalStateException if there are fewer; {@link #await} waits for them
   */
  Node get(int index);

  /**
   * Waits until enough nodes are there.
   *
   * @return the nodes, in a set that stays live
   * @throws TimeoutException if the time is over; the message says who is missing and why
   * @throws NodesMissingException if enough can never come, because too many have failed
   */
  Nodes await(Quorum quorum, Duration timeout) throws TimeoutException, InterruptedException;

  /**
   * Runs the listener for each node that is there and for each that joins, on a virtual thread.
   * Listeners hear of one change at a time, in the order of the changes; one that takes long holds
   * the others up.
   */
  void onJoin(Consumer<Node> listener);

  /** Runs the listener for each node that leaves or dies, with the reason, on a virtual thread. */
  void onLeave(BiConsumer<Node, String> listener);

  /**
   * Runs the listener for each node that announces that it is going to leave, with the reason, on a
   * virtual thread: one that is {@linkplain #release released}, or that its batch system asks to
   * end. The node is in no list any more, and still serves. In the program that has deployed, it
   * leaves when the listener has returned; a batch system may allow for some seconds only.
   */
  void onLeaving(BiConsumer<Node, String> listener);

  /**
   * Asks the infrastructure of these nodes for more, and returns at once; they join when they are
   * there, and {@link #await} knows of them. Where several elements of the descriptor stand for
   * these nodes, they take turns; a batch system gets one more job for its share, of whole machines
   * as the element has them, so there may be more than asked for.
   *
   * @throws UnsupportedOperationException anywhere but in the program that has deployed
   * @throws IllegalArgumentException if the number is not positive
   */
  void request(int more);

  /**
   * Lets a node go: it announces that, then ends, and its callers get an error that says so. What
   * it was given, such as a job that has no other node, is given back.
   *
   * <p>A listener of this set may wait for the result: it holds up other listeners no longer then.
   *
   * @return completes when it has left
   * @throws UnsupportedOperationException anywhere but in the program that has deployed
   * @throws IllegalArgumentException if it is not one of these nodes
   */
  CompletableFuture<Void> release(Node node);

  /** At least so many nodes. */
  static Quorum atLeast(int count) {
    return new Quorum.AtLeast(count);
  }

  /** All nodes that the descriptor asks for; to be awaited in the program that has deployed. */
  static Quorum all() {
    return new Quorum.All();
  }

  /** How many nodes are enough. */
  sealed interface Quorum {

    /**
     * A number of nodes.
     *
     * @param count at least 1
     */
    record AtLeast(int count) implements Quorum {

      /** Refuses what would not wait. */
      public AtLeast {
        if (count < 1) {
          throw new IllegalArgumentException("atLeast(" + count + ") waits for nothing; give 1");
        }
      }
    }

    /** As many as the descriptor asks for. */
    record All() implements Quorum {}
  }
}
