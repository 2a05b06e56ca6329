package org.troupe.activeobjects.internal.copies;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.NodeId;

/**
 * The other nodes of the grid, as the copies of journals use them. A call to a node that is lost
 * fails with a {@link org.troupe.activeobjects.NodeLostException}.
 */
public interface CopyNetwork {

  /** A node that may have copies. */
  record Candidate(NodeId id, boolean isOnOtherHost) {}

  /** Returns the id of this node. */
  NodeId self();

  /** Returns whether this node takes part in a grid, as far as it knows. */
  boolean isOpen();

  /** Returns whether another node may get copies now. Takes no lock. */
  boolean isCandidate(NodeId node);

  /** Returns the other nodes that may get copies now. Takes no lock. */
  List<Candidate> candidates();

  /**
   * Returns whether there is another node that may get copies. Waits for one for a short time,
   * since the news of nodes that have joined may still be on their way to this one.
   */
  boolean awaitCandidate();

  /** Returns all other nodes, which may have copies. */
  List<NodeId> members();

  /**
   * Returns whether a node that this one has heard of is lost for good, so that nothing it sent is
   * accepted any more. That a node is no member does not say so: the news that it has joined may
   * still be on its way.
   */
  boolean isGone(NodeId node);

  /**
   * Changes the copy on a node.
   *
   * @return the result of {@link JournalCopies#take}
   */
  CompletableFuture<Long> update(NodeId node, CopyUpdate update);

  /**
   * Changes the copy on a node, and waits for the answer on the calling thread. An update that may
   * have arrived already is sent again.
   *
   * @return the result of {@link JournalCopies#take}
   */
  long updateNow(NodeId node, CopyUpdate update);

  /**
   * Requests the number of the last change of the members, which the coordinator counts; 0 if there
   * is no grid.
   */
  CompletableFuture<Long> lastChange();

  /**
   * Waits until this node has applied all changes of the members up to a number.
   *
   * @throws IOException if it does not hear of them in time
   */
  void awaitChange(long number) throws IOException;

  /**
   * Returns the heads of a node's copies of some journals, by their names.
   *
   * @param change the number of the last change of the members that the node must have applied
   *     before it answers
   */
  CompletableFuture<Map<String, CopyHead>> heads(
      NodeId node, Collection<String> journals, long change);

  /** Becomes the owner of a journal that a node has a copy of; see {@link JournalCopies#claim}. */
  CompletableFuture<Optional<CopyUpdate>> claim(NodeId node, String journal, long epoch);

  /**
   * Deletes the copy on a node, if it is the one that is meant; see {@link JournalCopies#drop}.
   *
   * @return completes when the copy is gone
   */
  CompletableFuture<Void> drop(NodeId node, String journal, long birth, long epoch, NodeId owner);

  /** Returns the names of the journals of which a node has copies. */
  CompletableFuture<List<String>> names(NodeId node);

  /** Runs an action that may block, on a thread of its own. */
  void execute(Runnable action);

  /** Runs an action that may block later, on a thread of its own. */
  void schedule(Runnable action, Duration after);
}
