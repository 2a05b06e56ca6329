package org.troupe.activeobjects.collective;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.RuntimeProvider;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.futures.FutureResult;

/**
 * The services of the runtime for typed groups: calls on many objects, extensions of active
 * objects, packets between extensions, gates of request queues, and results derived from others.
 *
 * <p>The runtime implements it; the single instance serves all nodes of the JVM and determines the
 * node by the given object or by the object that the current thread serves. May be shared between
 * threads.
 */
public interface Collectives {

  /** Returns the instance of the runtime on the class path or module path. */
  static Collectives current() {
    return Loaded.INSTANCE;
  }

  /**
   * Records the call that a lambda makes.
   *
   * @param type the class or interface by which the objects are called
   * @param resultMatters whether the lambda must return the result of the call
   * @throws IllegalArgumentException if the lambda does not make exactly one call
   */
  <T> GroupCall record(Class<T> type, Ref.Asked<? super T, ?> call, boolean resultMatters);

  /**
   * Returns the call of a method of a stub.
   *
   * @param index the index of the method in the stub class, as call handlers get it
   */
  GroupCall call(Class<?> type, int index, Object[] arguments);

  /**
   * Returns a call that invokes no method but is queued like any other; for a {@linkplain
   * GroupCall#onward reply interceptor} alone.
   */
  GroupCall emptyCall();

  /**
   * Sends a call of its own to each object; together they are one multicast for causal order.
   *
   * @param calls as many as objects; equal neighbours are encoded once
   */
  void postEach(List<? extends GroupCall> calls, List<? extends Ref<?>> objects);

  /**
   * Sends calls as {@link #postEach} does and returns their results, in the order of the objects.
   */
  List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls, List<? extends Ref<?>> objects, boolean valueWanted);

  /**
   * Sends calls and returns their results, and reports each reply on arrival.
   *
   * @param answered receives the index of each object whose reply has arrived, in the order of
   *     arrival, on the receiving thread: it must be short and run no user code
   */
  List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      boolean valueWanted,
      IntConsumer answered);

  /** Returns objects prepared to be called together many times. */
  Recipients recipients(List<? extends Ref<?>> objects);

  /** Sends one call to all recipients, as {@link #postEach} does. */
  void post(GroupCall call, Recipients recipients);

  /**
   * Sends one call to all recipients and returns their results, as {@link #askEach(List, List,
   * boolean, IntConsumer)} does.
   */
  List<FutureResult<Object>> ask(
      GroupCall call, Recipients recipients, boolean valueWanted, IntConsumer answered);

  /** Returns a key that no other set of extensions has. */
  BodyExtension.Key newKey();

  /**
   * Sends an extension to objects, as a request to each; each object gets a copy of its own.
   *
   * @return a result for each object, settled when the extension is attached
   */
  List<FutureResult<Object>> attach(BodyExtension attachment, List<? extends Ref<?>> objects);

  /**
   * Sends a visit to objects, as a request in the turn of each.
   *
   * @return the answer of each object, in their order
   */
  List<FutureResult<Object>> visit(BodyVisit visit, List<? extends Ref<?>> objects);

  /** Returns the images of the node that the current thread works for. */
  ObjectImages images();

  /**
   * Checks that the objects are on nodes of one grid, as far as this node knows their grids;
   * extensions in different grids cannot reach each other.
   *
   * @throws IllegalArgumentException if they are not
   */
  void requireOneGrid(List<? extends Ref<?>> objects);

  /** Returns the node of an object; empty if the node is in no grid or has left it. */
  Optional<Node> nodeOf(Ref<?> object);

  /** Returns whether an object has moved since it was created, as far as this node knows. */
  boolean hasMoved(Ref<?> object);

  /**
   * Returns the extensions of a class which the object that the current thread serves has, in the
   * order of their attachment.
   *
   * @throws IllegalStateException if the thread serves no object
   */
  <A extends BodyExtension> List<A> extensionsOfCurrent(Class<A> type);

  /** Attaches an extension, at once, to the object that the current thread serves. */
  void attachToCurrent(BodyExtension attachment);

  /**
   * Runs a task as a request of an object of this node, after the service of all earlier requests
   * of the sender has begun. The task overtakes requests of other senders that a gate holds back.
   *
   * @param object the reference that {@link BodyExtension#attached} got
   * @param sender the other object
   * @param keeps whether later requests of the sender stay behind the task; called under locks, and
   *     again when a gate of the object has {@linkplain RequestGate#changed changed}
   * @return a supplier, for messages, of the call that the task was last found to wait behind, or
   *     {@code null}
   */
  Supplier<@Nullable String> runInTurn(
      Ref<?> object, Ref<?> sender, Runnable task, BooleanSupplier keeps);

  /**
   * Gives an object of this node a platform thread from its next request on, as objects with long
   * computations get; called while the object is served. An object that serves only short requests
   * and waits for no packet in them loses the thread again.
   */
  void expectComputing(Ref<?> object);

  /**
   * Records that an object waits for other members in the request that it serves, so that it keeps
   * the thread of {@link #expectComputing} even if its requests are short. No effect on objects
   * that do not have one.
   */
  void waitsInStep(Ref<?> object);

  /**
   * Lets the current thread, which serves an object and waits for a packet, poll the node's
   * incoming links while that is likely to be faster than a wake-up, if it is a platform thread.
   * Returns after a short time, possibly at once.
   *
   * @param isWaiting whether the thread still waits; called very often, without locks
   */
  void receiveWhile(BooleanSupplier isWaiting);

  /**
   * Creates memory for this and other nodes on this host, through the transport of the node that
   * the current thread works for; {@code null} if that is not possible.
   */
  @Nullable SharedSegment createMemory(long size);

  /**
   * Opens memory that another node has created; {@code null} if it cannot be shared with the node
   * of an object. Does not block.
   *
   * @param object an object of this JVM
   * @param details as {@link SharedSegment#details} returns them
   */
  @Nullable SharedSegment openMemory(Ref<?> object, byte[] details, long size);

  /** Reports a failure to the failure handler of an object of this node. */
  void report(Ref<?> object, String what, Throwable cause);

  /**
   * Removes an extension from the object that the current thread serves. Packets that arrive later
   * for it are dropped.
   */
  void detachFromCurrent(BodyExtension.Key key);

  /**
   * Sends a packet to the extension of an object. Returns at once; if the object lives in this JVM,
   * the packet has been received by then. Does nothing if the object has ended.
   *
   * @param value copied, except for a primitive array: its ownership passes to the receiver, and it
   *     must not be changed any more
   */
  void send(Ref<?> object, BodyExtension.Key key, int from, long tag, @Nullable Object value);

  /**
   * Sends a primitive array to which the caller holds the only reference. In this JVM the receiver
   * owns it from now on; if it is sent to another JVM, it returns to the {@link ArrayPool} when it
   * has arrived there.
   */
  void transfer(Ref<?> object, BodyExtension.Key key, int from, long tag, Object array);

  /**
   * Sends a slice of a primitive array, which the caller may change again when this returns. For a
   * large slice the method blocks until it has arrived in the other JVM, but not until it is taken
   * there. The receiver gets an array of its own.
   */
  void sendZeroCopy(Ref<?> object, BodyExtension.Key key, int from, long tag, Frame.Slice numbers);

  /**
   * Returns a packet without a value that can be deferred.
   *
   * @param object an object of another node
   * @param tag supplies the tag when the packet is sent, or -1 if the packet is not needed any
   *     more; called under locks
   */
  DeferredPacket deferredPacket(Ref<?> object, BodyExtension.Key key, int from, LongSupplier tag);

  /**
   * Runs a task in the place of a {@linkplain DeferredPacket#defer deferred packet}: after the
   * first messages of another node have been taken, and before any message that the node sends
   * later. Runs it now if they have been taken; never if the node is lost before.
   *
   * @param sender an object of that node
   * @param messages the number of those messages
   * @param task under the rules of {@link BodyExtension#received}
   */
  void runBehind(Ref<?> sender, long messages, Runnable task);

  /**
   * Returns the number of messages that were sent to the node of an object, for {@link #hasTaken}
   * there.
   *
   * @param object an object of another node
   */
  long messagesTo(Ref<?> object);

  /**
   * Returns whether the first messages of another node have been taken: their calls are in the
   * queues, and their packets received.
   *
   * @param sender an object of that node
   * @param messages the number of those messages
   */
  boolean hasTaken(Ref<?> sender, long messages);

  /**
   * Runs the tasks of {@link #runInTurn} that are in the queue of an object before all calls, if
   * the current thread serves the object in its turn. They would run after its request; a long
   * request collects fewer of them so.
   */
  void runDueTasks(Ref<?> object);

  /**
   * Returns whether the current thread serves a request of an object in its turn, and no other
   * request is in the queue, as far as the object knows that. Then a task of {@link #runInTurn}
   * would be the next to run.
   *
   * @param object an object of this node
   */
  boolean isServingLast(Ref<?> object);

  /** Returns the value as another object would receive it: a copy, unless it is immutable. */
  <T> T copyOf(T value);

  /** Returns the node that the current thread works for. */
  NodeId currentNode();

  /**
   * Returns the state that the objects of a node share while they answer a call; the first request
   * creates it. It is kept until it is removed or the calling node is lost.
   *
   * @param call the key of the call, drawn by the caller
   * @param made creates the state; gets an action that removes it, which any thread may run
   */
  <S> S shared(BodyExtension.Key call, Function<Runnable, S> made);

  /** Removes and returns the shared state of a call, or {@code null} if there is none. */
  @Nullable Object removeShared(BodyExtension.Key call);

  /**
   * Attaches an extension to the node that the current thread works for, so that extensions on
   * other nodes can send it packets. It stays until it is over or detached.
   */
  void attachToNode(BodyExtension attachment);

  /**
   * Detaches an extension from the node and returns it, or {@code null} if there is none. Packets
   * that arrive later for it are dropped.
   */
  @Nullable BodyExtension detachFromNode(BodyExtension.Key key);

  /**
   * Sends a packet, as {@link #send} does, to the extension of the node on which an object lives.
   */
  void sendToNode(
      Ref<?> neighbour, BodyExtension.Key key, int from, long tag, @Nullable Object value);

  /**
   * Holds back the requests of the object that the current thread serves.
   *
   * @param gate decides which of them may begin nevertheless
   * @throws IllegalStateException if the thread serves no object, or an immediate method of one
   */
  RequestGate holdRequests(RequestGate.Gate gate);

  /** Begins the event of a collective operation; returns {@code null} if no recording runs. */
  @Nullable OperationEvent operationEvent();

  /**
   * Returns the counter of an operation, for the caller to keep.
   *
   * @param group the id of the group, as {@link GroupStanding} has it
   * @param type the name of the class of its members
   * @param size the number of its members
   * @param algorithm empty if there is only one
   */
  OperationCounter operationCounter(
      String group, String type, int size, String operation, String algorithm);

  /** Returns whether a request was sent by an object. */
  boolean isFrom(Request request, Ref<?> object);

  /**
   * Returns an unsettled result, which the caller settles. For active objects that wait for it or
   * attach stages to it, it behaves like the result of a call. A failure that is never observed
   * goes to the failure handler.
   *
   * @param description the awaited value, for messages
   */
  <T> FutureResult<T> result(Supplier<String> description);

  /**
   * Returns an unsettled result that is derived from others, so that the deadlock detector can
   * follow its dependencies.
   *
   * @param sources supplies the results that it depends on, as known at the time of the call;
   *     called on any thread
   */
  <T> FutureResult<T> result(Supplier<String> description, Supplier<ResultSources> sources);

  /**
   * Returns a consumer that reports failures of a call whose result is not observed. It reports to
   * the failure handler of the object that the current thread serves, if there is one, else to that
   * of the JVM.
   *
   * @param call the called method, for messages
   */
  Consumer<Throwable> failureReporter(Supplier<String> call);

  /**
   * Returns the work wrapped for another thread: its calls count as calls of the object that the
   * current thread serves, if any, and are ordered after the request in service.
   */
  Runnable inName(Runnable work);

  /**
   * Tells the observer of this JVM that the current thread begins a member's part in a collective
   * operation.
   *
   * @param operation its {@code toString} is the name of the operation
   * @return what observes it; {@code null} if nothing does
   */
  Observer.@Nullable Observation takesPart(Object operation, int rank, int members);

  /** Ends an observation that {@link #takesPart} has returned. */
  void ended(Observer.Observation observation, @Nullable Throwable failure);

  /**
   * Runs work of which the calls of active objects are refused with an {@link
   * IllegalStateException}.
   *
   * @param reason the message of the exception
   */
  void withoutCalls(String reason, Runnable work);

  /** Holds the instance, so that it is looked up once. */
  final class Loaded {
    private static final Collectives INSTANCE = RuntimeProvider.load(Collectives.class);

    private Loaded() {}
  }
}
