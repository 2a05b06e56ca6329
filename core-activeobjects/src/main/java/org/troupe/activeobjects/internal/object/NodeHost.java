package org.troupe.activeobjects.internal.object;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.futures.FutureResult;

/**
 * The environment of a node's objects: the grids that the node takes part in, as far as its objects
 * use them.
 */
public interface NodeHost {

  /**
   * Returns the node as a member of a grid. If it is a member of several, the grid is the one that
   * the current request came from, or else the first. If it is a member of none, the result is a
   * node that only this JVM can reach.
   */
  Node self();

  /** Returns a member of any of the node's grids; empty if there is none. */
  Optional<Node> member(NodeId id);

  /** Returns the traffic from this node to other nodes. */
  Traffic traffic();

  /**
   * Returns the node of an object, as far as this node knows.
   *
   * @param otherwise its node unless it has moved
   */
  NodeId nodeOf(Reference.Target object, NodeId otherwise);

  /**
   * Returns the body of an object that has moved to this node and has a call of this node; {@code
   * null} if the call may be on another node, which may owe its answer also after the move.
   */
  @Nullable Body movedWith(CallResult call);

  /** Returns the other nodes that may have an unanswered call of this one. */
  Collection<? extends RemoteNode> mayHave(CallResult call);

  /** Moves an object to another node. */
  CompletableFuture<Void> move(Reference<?> object, NodeId destination, Duration patience);

  /** Runs an action that asks whether a call is the first, and queues it, in one step. */
  void inOrder(Body body, Runnable action);

  /**
   * Returns whether a call to an object without a log has not arrived before; else it is answered.
   *
   * @param request not queued yet
   */
  boolean isFirst(CallName name, Body body, NamedReply.Sender sender, CallRequest request);

  /** Returns the logged callers of this node that have ended, which called objects may forget. */
  CallerEnds callerEnds();

  /** Returns what keeps the objects of this node in stores. */
  ObjectKeeper keeper();

  /**
   * Copies an object of this node, on the thread that serves it.
   *
   * @throws RuntimeException if it cannot be copied
   */
  ObjectImage imageOf(Object object);

  /** Stores an image of an object, which may be on another node. */
  CompletableFuture<Void> checkpoint(Reference<?> object);

  /** Returns the end of an object that has moved; {@code null} if it has not. */
  @Nullable FutureResult<End> endOfMoved(Reference.Target object, Runnable whenMadeAgain);

  /**
   * Asks all other nodes whether they have served all one-way calls of this one. When the result is
   * there, this node has taken all messages that they sent before they answered.
   */
  CompletableFuture<Boolean> areAllCallsServed();

  /** Handles the news that an object which had moved to this node was collected. */
  void collectedGuest(RemoteNode birth, long number);

  /** Handles the news that an object of this node was collected, which had come home. */
  void collected(long number);

  /** Lets a node hold an object of this one again that it was let release. */
  void holdGuestAgain(long host, long number);

  /**
   * Lets the hosts of objects that have left this node release those that nothing refers to, and
   * forgets objects that have moved and ended.
   *
   * @return whether this node knows any object that has moved
   */
  boolean reviewMoved();

  /** Lets an object that has moved end with another, as {@link Links} describes. */
  FutureResult<?> followMoved(Reference<?> follower, Reference<?> leader);

  /**
   * Lets the coordinator restart an object on another node if this one is lost. Waits for it.
   *
   * @throws IllegalArgumentException if the object cannot be restarted there, with the remedy
   */
  void supervise(Body body, Origin origin);

  /** Lets the coordinator record that such an object sleeps. */
  CompletableFuture<Void> sleeps(Body body);

  /** Lets the coordinator record that such an object is about to wake. */
  CompletableFuture<Void> wakes(Body body);

  /** Reports a failure of such an object. */
  void failed(Body body, String what);

  /**
   * Lets the coordinator record that such an object watches another, as {@link Links} describes.
   *
   * @return completes when the coordinator has recorded it
   */
  CompletableFuture<Void> watches(Body follower, Reference<?> leader);

  /** Lets the coordinator forget that such an object watched another. */
  void watchesNoLonger(Body follower, Reference<?> leader);

  /** Lets the current thread poll for frames while it waits, if it is a platform thread. */
  void receiveWhile(BooleanSupplier isWaiting);

  /** Creates memory for nodes on this host; {@code null} if no transport of this node can. */
  @Nullable SharedSegment createMemory(long size);

  /** Opens memory of another node; {@code null} if it cannot be shared with this one. */
  @Nullable SharedSegment openMemory(byte[] details, long size);
}
