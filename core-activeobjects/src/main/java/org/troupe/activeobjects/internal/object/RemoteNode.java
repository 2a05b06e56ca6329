package org.troupe.activeobjects.internal.object;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CapacityPeer;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.futures.FutureResult;

/**
 * Another node, as references to its objects use it. Objects know nothing else of the connection:
 * the package of peers, which implements this interface, is above theirs.
 */
public interface RemoteNode extends CapacityPeer {

  /**
   * Sends a one-way call; may wait, at most until the time limit, while the object's queue is full.
   *
   * @param caller the calling body, or {@code null}
   * @throws NodeLostException if the node is lost
   */
  void post(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      @Nullable Body caller,
      long limitNanos);

  /**
   * Sends a call whose answer settles the result.
   *
   * @param isWaited whether the current thread is about to wait for the answer; if not, it does not
   *     wait for capacity either
   * @throws NodeLostException if the node is lost
   */
  void ask(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      @Nullable Body caller,
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
      @Nullable Body caller);

  /**
   * Sends a call of a logged object, which the receiver serves once however often it arrives.
   *
   * @param result receives the answer; {@code null} for a one-way call
   * @param isWaited whether the current thread is about to wait for the answer
   * @throws NodeLostException if the node is lost
   */
  void sendNumbered(
      Reference.Target.Elsewhere target,
      CallName name,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      Body caller,
      boolean isWaited);

  /** Notifies the node that the caller has given up a call. */
  void abandon(long callId);

  /** Ends an object of the node: at once if {@code now}, else after its queued requests. */
  void terminate(long number, boolean now);

  /**
   * Returns the end of an object of the node.
   *
   * @param whenMadeAgain is run if the object lives on after the loss of its node
   */
  FutureResult<End> endOf(long number, Runnable whenMadeAgain);

  /** Lets an object of the node end with another, as {@link Links} describes. */
  FutureResult<?> follow(long number, Reference<?> leader);

  /** Tells the node of references to its objects that this node has given away or dropped. */
  void tellChanges(List<RemoteObjects.Change> changes);

  /** States which references to objects of the node this node has received from a lost one. */
  void state(long lost, List<RemoteObjects.Stated> statement);

  /** Returns the driver of the link to the node; empty if there is none, or it is not known. */
  String driver();

  /** Returns the node as a provider of classes. */
  ClassProvider classes();
}
