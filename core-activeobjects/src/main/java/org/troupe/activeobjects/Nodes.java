package org.troupe.activeobjects;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The nodes of a virtual node, or of a grid: a live set, in the order in which they joined. May be
 * shared between threads.
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

  /** At least so many nodes. */
  static Quorum atLeast(int count) {
    return new Quorum.AtLeast(count);
  }

  /** All nodes that the descriptor asks for. */
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
