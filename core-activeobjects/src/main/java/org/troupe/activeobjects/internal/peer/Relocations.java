package org.troupe.activeobjects.internal.peer;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.FutureResult;

/**
 * The objects that have moved, as the traffic between two nodes uses them. The package that moves
 * objects, which implements this interface, is above that of peers.
 */
public interface Relocations {

  /**
   * Returns whether calls to an object of a lost node have to be sent by {@link #send}, because the
   * object may have left before, or be made anew.
   */
  boolean mayHaveLeft(NodeId lost);

  /**
   * Returns whether the death of a node was announced and is not applied, and {@link #mayHaveLeft}
   * holds for it: calls to its objects have to be sent by {@link #send} already.
   */
  boolean isDying(NodeId other);

  /**
   * Sends a message to an object that has moved, or may have. Does not wait.
   *
   * @param home the node on which the object was created
   * @param number identifies the object there
   * @param content a call, or a request to terminate
   * @param result receives the answer; {@code null} for a one-way call
   * @param oneWayCall the method of a one-way call that the user has to hear of
   * @param name of a call that its origin has numbered; {@code null} if it has none, or this node
   *     numbers it
   * @param isInTurn whether it is a call that the object serves in its turn
   */
  void send(
      RemoteNode home,
      long number,
      Message content,
      @Nullable Payload payload,
      @Nullable CallResult result,
      @Nullable CallMethod oneWayCall,
      @Nullable Body caller,
      @Nullable CallName name,
      boolean isInTurn);

  /**
   * Returns an object that has moved, if its calls of this node may be sent in exchanges with its
   * host; else {@code null}.
   */
  @Nullable SettledObject settled(RemoteNode home, long number);

  /** An object that has moved, as a call in an exchange with its host uses it. */
  interface SettledObject {

    /** Returns the other node that hosts the object; {@code null} if this one knows of none. */
    @Nullable Peer host();

    /**
     * Returns whether this node keeps calls to the object, since it may have to send them again.
     */
    boolean isKeepingCalls();

    /**
     * Numbers a call to the host, behind all that this node has sent to the object.
     *
     * @param result receives the answer, and is registered
     * @param isInTurn whether the object serves the call in its turn
     * @param mayKeep whether nothing changes the arguments, so that the call may be kept
     * @return {@code null} if the way to that host is not settled, or the call is to be kept and
     *     may not; it then has to be sent by {@link #send}
     */
    @Nullable UnackedFrame number(
        Peer host,
        Message.Call call,
        @Nullable Payload payload,
        CallResult result,
        boolean isInTurn,
        boolean mayKeep);
  }

  /** Returns the result of a call that its caller has given up, or {@code null}. */
  @Nullable CallResult abandoned(long callId);

  /**
   * Records that an object outlives its node with all calls that it has taken, so that its calls
   * are numbered, and sent again after a loss.
   */
  void keepsCalls(ObjectIdentity object);

  /** Returns whether an object outlives its node with its calls, as far as this node knows. */
  boolean isKeepingCalls(NodeId birth, long number);

  /** Returns whether an object that had moved is known to be lost for good. */
  boolean isLost(NodeId birth, long number);

  /**
   * Finds out whether an object of a lost node is lost for good, if it may have left that node and
   * this one does not know it.
   *
   * @return {@code null} if there is nothing to find out
   */
  @Nullable CompletableFuture<Boolean> findLoss(NodeId birth, long number);

  /**
   * Handles the news that an object will not need calls of an origin on this node again.
   *
   * @param first the number of the first one; 0 for all up to the last
   */
  void taken(ObjectIdentity object, CallOrigin origin, long first, long last);

  /**
   * Handles the news that an origin will not need answers of an object on this node again; if it is
   * a logged object, it has ended.
   */
  void settled(ObjectIdentity object, CallOrigin origin, long upTo);

  /**
   * Waits, in the sending user's thread, while the link to the object's node is full, or while as
   * many calls of this node as may wait for the object to be made anew.
   *
   * @param nanos the time limit of the call
   * @return {@code false} if the time was over before
   */
  boolean awaitCapacity(RemoteNode home, long number, CallMethod method, long nanos);

  /** Checks that one more call whose caller does not wait may wait for its object. */
  void requireMemory(RemoteNode home, long number, CallResult call);

  /**
   * Takes over the unanswered calls of this node to objects that had left a lost one, and ends
   * those to objects of it that are made anew.
   *
   * @param calls takes the unanswered calls from those to the lost node
   * @param others ends those of other objects; is called once at once, and once later
   */
  void lost(
      RemoteNode home,
      Supplier<? extends Collection<CallResult>> calls,
      Consumer<List<CallResult>> others);

  /**
   * Takes a message about an object that has moved, under the lock of the sender's inbox.
   *
   * @param exchange of a call, which its request may take
   */
  void take(
      RemoteNode sender,
      Message.Relocation message,
      long callId,
      Frame frame,
      @Nullable ArrivingExchange exchange);

  /** Returns the result of a call to an object that has moved, which was answered; or null. */
  @Nullable CallResult answered(long callId);

  /** Returns the body of an object that is on this node after a move, or {@code null}. */
  @Nullable Body here(NodeId birth, long number);

  /** Returns where an object is, as far as this node knows; {@code null} if it has not moved. */
  @Nullable Place place(NodeId birth, long number);

  /** Returns the address of a node that has hosted a moved object. */
  String address(NodeId host);

  /**
   * Returns the end of an object whose birthplace is lost; {@code null} if the object was lost with
   * it.
   *
   * @param whenMadeAgain is run each time the object has been made again
   */
  @Nullable FutureResult<End> endAfterLoss(RemoteNode home, long number, Runnable whenMadeAgain);

  /** Records where an object is, as a reference from another node says. */
  void learn(ObjectIdentity object, Place place, String address, Membership grid);
}
