package org.troupe.activeobjects.internal.copies;

import java.time.Duration;
import java.util.List;
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
   * Changes the copy on a node.
   *
   * @return the result of {@link JournalCopies#take}
   */
  CompletableFuture<Long> update(NodeId node, CopyUpdate update);

  /** Returns the head of a node's copy of a journal, if it has one. */
  CompletableFuture<Optional<CopyHead>> head(NodeId node, String journal);

  /** Becomes the owner of a journal that a node has a copy of; see {@link JournalCopies#claim}. */
  CompletableFuture<Optional<CopyUpdate>> claim(NodeId node, String journal, long epoch);

  /** Deletes the copy on a node, unless its epoch is higher. A failure is not reported. */
  void drop(NodeId node, String journal, long epoch);

  /** Returns the names of the journals of which a node has copies. */
  CompletableFuture<List<String>> names(NodeId node);

  /** Runs a short action later. */
  void schedule(Runnable action, Duration after);
}
