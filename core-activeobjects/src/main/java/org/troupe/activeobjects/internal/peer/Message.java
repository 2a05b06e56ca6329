package org.troupe.activeobjects.internal.peer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.internal.body.MulticastStamp;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.object.RemoteObjects;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.TypeDefinition;

/**
 * A message between nodes. Each message is one frame, which {@link MessageCodec} writes and reads.
 * The id of the call that a message is about is in the frame's envelope, so that repeated equal
 * calls share one message object.
 *
 * <p>A frame is numbered, kept until it is acknowledged and taken in order, unless its message is
 * {@link Unordered}. The other families of messages determine which part of a peer handles them.
 */
public sealed interface Message {

  /** A message that needs neither order nor a guarantee, and may be lost. */
  sealed interface Unordered extends Message permits Hello, Heartbeat {}

  /** A message with the answer of a call, or the failure of a one-way call. */
  sealed interface Reply extends Message permits Answer, Simple, Failed, OneWayFailed {}

  /** A message with the value or failure of a future that was sent earlier. */
  sealed interface FutureUpdate extends Message permits Value, ValueFailed {}

  /** A message about the capacity of an object's queue, or the memory of all queues. */
  sealed interface FlowControl extends Message
      permits Credit, Backlog, CapacityRequest, CapacityGrant {}

  /**
   * The first message on every connection: identifies the sender, and reports which frames it has.
   *
   * @param name the sender's name
   * @param address the address at which the sender can be reached
   * @param receiver the incarnation of the node that the sender means; another node may have its
   *     address by now
   * @param received the number of the last ordered frame that the sender has taken
   * @param missed whether it may have dropped later ones, because it did not know their sender yet
   */
  record Hello(String name, String address, long receiver, long received, boolean missed)
      implements Unordered {

    /** Returns whether the sender means a node. */
    public boolean isFor(NodeId node) {
      return receiver == node.incarnation();
    }

    /**
     * Returns the refusal of a greeting for another node than the one that has received this. The
     * frames that follow are numbered for that node. A sender repeats its greeting until it learns
     * that the other node has ended, so only the first refusal is to be reported.
     */
    public RuntimeException refusal(NodeId node, boolean isFirst) {
      var why =
          "node '%s' greets a node that had the address of '%s' before; that one has ended"
              .formatted(name, node);
      return isFirst
          ? new SerializationException(why)
          : new Transport.RefusedConnectionException(why);
    }
  }

  /**
   * A sign of life. The acknowledgement is in the envelope, as in every frame.
   *
   * @param usage the memory usage of the sender's node; zeros if it was not requested
   */
  record Heartbeat(MemoryUsage usage, List<Long> vitals) implements Unordered {

    /** How many numbers a heartbeat has at most: each takes up to nine bytes. */
    static final int MOST_VITALS = 10;

    public Heartbeat {
      vitals = List.copyOf(vitals);
    }

    /** Returns a sign of life alone. */
    static Heartbeat ofLife() {
      return new Heartbeat(MemoryUsage.NONE, List.of());
    }
  }

  /** A message with one call, or with a call to each of several bodies. */
  sealed interface Request extends Message permits Call, Multicast {

    /** Returns the number of the body at an index among those called. */
    long target(int index);

    String method();

    boolean valueWanted();

    boolean counted();

    long caller();

    String callerType();

    List<Object> side();

    /**
     * Returns the context of the call for the observer of the receiver; empty if the call is not
     * traced, {@code null} if its sender has no observer.
     */
    byte @Nullable [] context();

    /** Returns the context for the body at an index among those called. */
    default byte @Nullable [] context(int index) {
      return context();
    }
  }

  /**
   * A request; without an id it is a one-way call.
   *
   * @param target the number of the body
   * @param method the symbol of the method
   * @param valueWanted whether the value is returned, rather than only the end of the call
   * @param counted whether the call occupies a place in a bounded queue
   * @param caller the number of the calling body, or 0
   * @param callerType the symbol of its class, or the empty string
   * @param side the side table of the encoded arguments
   * @param context for an observer, or {@code null}
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes that are not changed
  record Call(
      long target,
      String method,
      boolean valueWanted,
      boolean counted,
      long caller,
      String callerType,
      List<Object> side,
      byte @Nullable [] context)
      implements Request {

    /** Makes a call without a context. */
    public Call(
        long target,
        String method,
        boolean valueWanted,
        boolean counted,
        long caller,
        String callerType,
        List<Object> side) {
      this(target, method, valueWanted, counted, caller, callerType, side, null);
    }

    @Override
    public long target(int index) {
      return target;
    }

    /** Returns this call to another number. */
    Call to(long itsTarget) {
      return new Call(itsTarget, method, valueWanted, counted, caller, callerType, side, context);
    }

    /**
     * Returns whether this is the message for a call whose arguments have no side table, and which
     * is not traced.
     *
     * <p>Sender and receiver keep the last message of each method and reuse it if it is equal
     * ({@code lastCalls}). A new component of this record must therefore be compared here, too:
     * otherwise a call is sent with the component's value of the previous call.
     */
    boolean is(
        long itsTarget,
        String itsMethod,
        boolean isValueWanted,
        boolean isCounted,
        long itsCaller,
        byte @Nullable [] itsContext) {
      return target == itsTarget
          && caller == itsCaller
          && valueWanted == isValueWanted
          && counted == isCounted
          && context == itsContext // both null, or the one empty array
          && method.equals(itsMethod);
    }
  }

  /**
   * A call that its receiver serves once, however often it arrives.
   *
   * @param name the same each time the call is sent
   */
  record Numbered(CallName name, Call call) implements Message {}

  /** A message about numbered calls. */
  sealed interface Acknowledgement extends Message permits Taken, Settled {}

  /**
   * Reports to the node of a caller that an object will not need calls again.
   *
   * @param object the called object
   * @param first the number of the first one of them; 0 for all up to the last
   * @param last the number of the last one of them
   */
  record Taken(ObjectIdentity object, CallOrigin origin, long first, long last)
      implements Acknowledgement {}

  /**
   * Reports to the node of a called object that a caller will not need answers again; if the caller
   * is a logged object, it has ended, and no call of it can arrive any more.
   *
   * @param object the called object
   * @param upTo the number of the last call concerned
   */
  record Settled(ObjectIdentity object, CallOrigin origin, long upTo) implements Acknowledgement {}

  /**
   * A request to several bodies, each of which answers separately: the frame's call id is that of
   * the call to the first body, and the calls to the others have the ids that follow.
   *
   * @param targets the numbers of the bodies
   * @param counted whether the calls occupy places in bounded queues
   * @param stamp the nodes that receive the multicast
   * @param context for an observer, or {@code null}
   * @param detailed how many bodies get the context, the first ones; the calls to the others are
   *     not traced
   */
  @SuppressWarnings("ArrayRecordComponent") // which are not changed
  record Multicast(
      long[] targets,
      String method,
      boolean valueWanted,
      boolean counted,
      MulticastStamp stamp,
      long caller,
      String callerType,
      List<Object> side,
      byte @Nullable [] context,
      int detailed)
      implements Request {

    /** Makes a multicast without a context. */
    public Multicast(
        long[] targets,
        String method,
        boolean valueWanted,
        boolean counted,
        MulticastStamp stamp,
        long caller,
        String callerType,
        List<Object> side) {
      this(targets, method, valueWanted, counted, stamp, caller, callerType, side, null, 0);
    }

    @Override
    public long target(int index) {
      return targets[index];
    }

    @Override
    public byte @Nullable [] context(int index) {
      return context == null || index < detailed ? context : ObserverBinding.NOT_TRACED;
    }
  }

  /**
   * A request that was sent while a multicast was served, and is to be taken after that.
   *
   * @param origin the node that made the multicast
   * @param address the address at which that node can be reached
   * @param count how many multicasts of that node must have been taken before
   * @param call a {@link Call}, a {@link Numbered} or a {@link Multicast}
   */
  record Behind(NodeId origin, String address, long count, Message call) implements Message {

    /**
     * Places a call behind the multicast that the current thread serves, if the receiver has to
     * take that one first.
     */
    static Message wrap(Message call, NodeId sender, NodeId receiver) {
      var stamp = ServiceContext.currentStamp();
      if (stamp == null || stamp.origin().equals(receiver) || stamp.origin().equals(sender)) {
        return call; // the origin has taken it before all others, and sends in order itself
      }
      var count = stamp.countFor(receiver.incarnation());
      return count == 0 ? call : new Behind(stamp.origin(), stamp.address(), count, call);
    }
  }

  /**
   * A packet for an extension of a body; its value is in the frame's body.
   *
   * @param target the number of the body
   * @param from the number by which the sender identifies itself
   * @param tag the tag that the sender chose
   */
  record Packet(long target, BodyExtension.Key key, int from, long tag, List<Object> side)
      implements Message {

    Packet with(List<Object> itsSide) {
      return new Packet(target, key, from, tag, itsSide);
    }
  }

  /** Requests the end of a body. */
  record Terminate(long target, boolean now) implements Message {}

  /** The value of a call, encoded in the frame's body; an empty body is {@code null}. */
  record Answer(List<Object> side) implements Reply {}

  /**
   * The value of a call that is a number, a character or a boolean, as most awaited results are.
   */
  record Simple(Object value) implements Reply {

    static boolean isSimple(Object value) {
      return switch (value) {
        case Integer i -> true;
        case Long l -> true;
        case Double d -> true;
        case Boolean b -> true;
        case Float f -> true;
        case Short s -> true;
        case Byte b -> true;
        case Character c -> true;
        default -> false;
      };
    }
  }

  /** The failure of a call; the exception, where it could be encoded, is in the frame's body. */
  record Failed(FailureSummary summary, List<Object> side) implements Reply {}

  /** The failure of a one-way call, for the sender's failure handler. */
  record OneWayFailed(long caller, String call, FailureSummary summary, List<Object> side)
      implements Reply {}

  /** The value of a future that was sent before. */
  record Value(long future, List<Object> side) implements FutureUpdate {}

  /** The failure of a future that was sent before. */
  record ValueFailed(long future, FailureSummary summary, List<Object> side)
      implements FutureUpdate {}

  /** Frees places in a bounded queue. */
  record Credit(long target, int count) implements FlowControl {}

  /**
   * Reports that the queues of the sender have used up their share of its heap, or have free memory
   * again.
   *
   * @param isFull whether users have to wait before they call objects that are behind
   */
  record Backlog(boolean isFull) implements FlowControl {}

  /** Requests, during a backlog of the receiver, permission for one call to an object. */
  record CapacityRequest(long target) implements FlowControl {}

  /** Grants permission for one call to an object during a backlog. */
  record CapacityGrant(long target) implements FlowControl {}

  /**
   * Reports that the exchange of a call has failed: its answer, whether it exists already or not,
   * is to be sent as a frame. Since this message is ordered, it is taken after the call, however
   * late that arrives.
   */
  record Unexchanged() implements Message {}

  /** A message about objects that have moved. */
  sealed interface Relocation extends Message
      permits Routed, Relocated, Switched, Vacated, PassedOnServed {}

  /**
   * A message to an object that has moved, or that moves.
   *
   * @param epoch the epoch of the host for which it is meant
   * @param view the number of the view that the receiver must have applied before
   * @param hops the nodes that have forwarded it
   * @param previous the route of the sender
   * @param origin the node of the caller, to which the answer goes
   * @param address the address of that node
   * @param definitions the types of the caller's node that the encoded arguments may use, unless
   *     the caller's node is the sender
   * @param content a {@link Call}, a {@link Numbered}, a {@link Terminate}, a {@link Mark} or a
   *     {@link TailEnd}
   */
  record Routed(
      ObjectIdentity object,
      int epoch,
      long view,
      List<NodeId> hops,
      int previous,
      NodeId origin,
      String address,
      List<TypeDefinition> definitions,
      Message content)
      implements Relocation {}

  /** The last message of a route's old path; the numbers are those of the route. */
  record Mark(int route, long number) implements Message {}

  /** Ends the queue that follows an object to its new host. */
  record TailEnd() implements Message {}

  /**
   * Reports that an object has moved. The frame's call id is that of a call that moved with the
   * object, or 0.
   *
   * @param route the route of the receiver
   */
  record Relocated(ObjectIdentity object, int route, NodeId host, String address, int epoch)
      implements Relocation {}

  /** Reports that a mark has arrived where the object is. */
  record Switched(
      ObjectIdentity object, int route, long mark, NodeId host, String address, int epoch)
      implements Relocation {}

  /** Frees a place in the bounded queue of an object that has moved. */
  record Vacated(ObjectIdentity object) implements Relocation {}

  /**
   * Reports that a one-way call was served, or passed on once more, which the receiver had passed
   * on to the sender.
   *
   * @param origin the node of the caller
   */
  record PassedOnServed(NodeId origin) implements Relocation {}

  /** A message about references to objects of the receiver. */
  sealed interface Listing extends Message permits CopiesChanged, CopiesStated, ObjectKept {}

  /** Tells which copies of references the sender has given away and dropped. */
  record CopiesChanged(List<RemoteObjects.Change> changes) implements Listing {}

  /**
   * States which copies the sender has received from a lost node.
   *
   * @param lost the incarnation of that node
   */
  record CopiesStated(long lost, List<RemoteObjects.Stated> statement) implements Listing {}

  /**
   * Reports that the sender has made a reference that no message of the receiver has carried: of
   * the name of a caller, whose call it has not answered yet, or from an image.
   *
   * @param number the number of the object
   */
  record ObjectKept(long number) implements Listing {}

  /** Reports that the caller has given up a call. */
  record Abandon() implements Message {}

  /**
   * Follows wait-for edges of futures and bodies from node to node, in search of a cycle.
   *
   * @param starter the incarnation of the node whose call started the search
   * @param startCall the id of that call, or of its wait for capacity
   * @param follows the kind of object that {@code id} identifies
   * @param places how many places the sender needs, if the probe follows a queue
   * @param forMemory whether the first call waits for memory only, and will be exempt from it
   * @param path the edges followed so far, for the error message
   */
  record Probe(
      long starter,
      long startCall,
      Follows follows,
      long id,
      int places,
      boolean forMemory,
      List<String> path)
      implements Message {

    /** The kind of edge along which the receiver continues a search. */
    public enum Follows {
      /** A call of the sender. */
      CALL,
      /** A future that the receiver has sent. */
      FUTURE,
      /** The queue of an object of the receiver, which has no place for a call of the sender. */
      QUEUE
    }
  }
}
