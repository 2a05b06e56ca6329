package org.troupe.activeobjects.internal.object;

import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.classes.ClassProvider;

/**
 * Another node, as references to its objects use it. Objects know no more of the connection: the
 * room of peers, which implements this, is above theirs.
 */
public interface RemoteNode {

  /** Returns the node. */
  NodeId id();

  /** Says whether it has left or died. */
  boolean isLost();

  /**
   * Sends a one-way call; may wait, at most for the limit, while the object's queue is full.
   *
   * @param caller the body that calls, or {@code null}
   * @throws NodeLostException if the node is lost
   */
  void post(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      Body caller,
      long limitNanos);

  /**
   * Sends a call whose answer settles the result.
   *
   * @param isWaited whether the current thread is about to wait for the answer; else it waits for
   *     nothing here either
   * @throws NodeLostException if the node is lost
   */
  void ask(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      Body caller,
      boolean isWaited);

  /**
   * Sends a call in an exchange: the current thread is about to wait for the answer. A platform
   * thread reads the answer itself, so it may have arrived on return.
   *
   * @throws NodeLostException if the node is lost
   */
  void exchange(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      Body caller);

  /** Tells the node that the caller has given a call up. */
  void abandon(long callId);

  /** Ends an object of the node: {@code now}, or behind the requests that wait. */
  void terminate(long number, boolean now);

  /** Completes when an object of the node has ended. */
  CompletableFuture<Void> whenEnded(long number);

  /** Says whether the node's queues have their whole share of its heap, as it told last. */
  boolean isBacklogged();

  /** Tells the node that the queues of this one have their whole share of its heap, or have not. */
  void sendBacklog(boolean isFull);

  /** Asks, during a backlog of the node, whether one call may go to an object. */
  void requestCapacity(long number);

  /** Allows, during a backlog of this node, one call to an object of this node. */
  void grantCapacity(long number);

  /** Returns the node as a provider of classes. */
  ClassProvider classes();
}
