package org.troupe.activeobjects.collective;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.FutureResult;

/**
 * What the runtime does for typed groups: calls on many objects, extensions of active objects,
 * parcels between those, gates before request queues, and results made of others.
 *
 * <p>The runtime implements it; the one instance serves all nodes of the JVM and finds the node by
 * the object given or by the object that the current thread serves. May be shared between threads.
 */
public interface Collectives {

  /** Returns the instance of the runtime on the class path or module path. */
  static Collectives current() {
    return Loaded.INSTANCE;
  }

  /**
   * Finds out which call a lambda makes.
   *
   * @param type the class or interface by which the objects are called
   * @param resultMatters whether the lambda must return the call's own result
   * @throws IllegalArgumentException if it does anything but one call
   */
  <T> GroupCall record(Class<T> type, Ref.Asked<? super T, ?> call, boolean resultMatters);

  /**
   * The call of a method of a stub.
   *
   * @param index the method's place in the stub of the type, as a call handler is given it
   */
  GroupCall call(Class<?> type, int index, Object[] arguments);

  /**
   * A call of no method, which has its turn like any: for what goes {@linkplain GroupCall#onward
   * onward}.
   */
  GroupCall emptyCall();

  /**
   * Makes calls that are one for what concerns order, though each object gets its own.
   *
   * @param calls as many as objects; where neighbours are the same one, it is encoded once
   */
  void postEach(List<? extends GroupCall> calls, List<? extends Ref<?>> objects);

  /**
   * Makes calls as {@link #postEach} does, with answers; the results are in the order of the
   * objects.
   */
  List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls, List<? extends Ref<?>> objects, boolean valueWanted);

  /**
   * Makes calls with answers, and reports each answer as it comes.
   *
   * @param answered gets the place of each object whose answer has come, in the order in which they
   *     come; on the thread that brings it, so it must be short, and run no user code
   */
  List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      boolean valueWanted,
      IntConsumer answered);

  /** Returns a new key. */
  BodyExtension.Key newKey();

  /**
   * Sends an attachment to objects, as a call to each: each gets a copy of its own, in its turn.
   *
   * @return completes for each when it is attached
   */
  List<FutureResult<Object>> attach(BodyExtension attachment, List<? extends Ref<?>> objects);

  /**
   * Refuses objects on nodes of different grids, as far as this node is in both: their attachments
   * could not reach each other.
   *
   * @throws IllegalArgumentException if there are such
   */
  void requireOneGrid(List<? extends Ref<?>> objects);

  /** Returns the node of an object; empty if that is in no grid, or has left it. */
  Optional<Node> nodeOf(Ref<?> object);

  /**
   * Returns those attachments of the object that the current thread serves which are of a class, in
   * the order in which they were attached.
   *
   * @throws IllegalStateException if the thread serves no object
   */
  <A extends BodyExtension> List<A> extensionsOfCurrent(Class<A> type);

  /** Attaches to the object that the current thread serves, at once. */
  void attachToCurrent(BodyExtension attachment);

  /**
   * Runs something in the turn of an object of this node, when all has begun that another object
   * had sent to it before; passes what others have sent and is held.
   *
   * @param object as given to {@link BodyExtension#attached}
   * @param sender the other object
   * @param keeps whether what the sender has sent since then stays behind this; asked under locks,
   *     and anew when a hold of the object has {@linkplain RequestGate#changed changed}
   * @return gives the call that it was last found to wait behind, for messages, or {@code null}
   */
  Supplier<String> runInTurn(Ref<?> object, Ref<?> sender, Runnable task, BooleanSupplier keeps);

  /**
   * Gives an object of this node a platform thread from its next request on, as those get that are
   * seen to compute; called in its turn. One that only ever serves short requests, in which it
   * waits for no parcel, loses it again.
   */
  void expectComputing(Ref<?> object);

  /**
   * Lets the current thread, which serves an object and waits for a parcel, receive what comes to
   * the node by itself, if it is a platform thread, for as long as that is likely to be quicker
   * than to be woken. Returns soon, perhaps at once.
   *
   * @param isWaiting whether it still waits; asked very often, without locks
   */
  void receiveWhile(BooleanSupplier isWaiting);

  /** Reports a failure to whoever hears of those of an object of this node. */
  void report(Ref<?> object, String what, Throwable cause);

  /**
   * Removes an attachment from the object that the current thread serves; what comes later for it
   * is dropped.
   */
  void detachFromCurrent(BodyExtension.Key key);

  /**
   * Sends a parcel to the attachment of an object. Returns at once; where the object lives in this
   * JVM, the parcel has been received then. Nothing happens if the object is gone.
   *
   * @param value is copied, but for an array of numbers: that is handed over, so that nobody may
   *     change it any more
   */
  void send(Ref<?> object, BodyExtension.Key key, int from, long tag, Object value);

  /**
   * Sends an array of numbers that nobody else has or will use: in this JVM it is the receiver's
   * own from now on, and if it goes to another it is in the {@link ArrayPool} when it has arrived
   * there.
   */
  void give(Ref<?> object, BodyExtension.Key key, int from, long tag, Object array);

  /**
   * Sends some of an array of numbers, which is the caller's own again when this returns. If they
   * are many, it waits until they have arrived in the other JVM, though for nobody who takes them
   * there; the receiver gets them as an array of its own.
   */
  void sendSlice(Ref<?> object, BodyExtension.Key key, int from, long tag, Frame.Slice numbers);

  /** Returns what another object would have got of a value: a copy, if the value may change. */
  <T> T copyOf(T value);

  /** Returns the node that the current thread works for. */
  NodeId currentNode();

  /**
   * Returns what the objects of a node have in common while they answer a call; the first that asks
   * has it made. It is kept until it is forgotten, or the node that made the call is lost.
   *
   * @param call drawn where the call was made
   * @param made is given what forgets it, for any thread
   */
  <S> S shared(BodyExtension.Key call, Function<Runnable, S> made);

  /** Forgets what the objects of a node have in common, and returns it; or {@code null}. */
  Object removeShared(BodyExtension.Key call);

  /**
   * Attaches something to the node that the current thread works for, as to an object, so that
   * those on other nodes reach it with parcels; until it is over, or detached.
   */
  void attachToNode(BodyExtension attachment);

  /** Detaches it again, and returns it; or {@code null}. What comes later for it is dropped. */
  BodyExtension detachFromNode(BodyExtension.Key key);

  /** As {@link #send}, to what is attached to the node where an object is. */
  void sendToNode(Ref<?> neighbour, BodyExtension.Key key, int from, long tag, Object value);

  /**
   * Holds the requests of the object that the current thread serves.
   *
   * @param gate which of them may begin all the same
   * @throws IllegalStateException if the thread serves no object, or an immediate method of one
   */
  RequestGate holdRequests(RequestGate.Gate gate);

  /** Says whether a request was sent by an object. */
  boolean isFrom(Request request, Ref<?> object);

  /**
   * Returns a place for a result: whoever has it settles it. Waiting for it, and stages hung on it,
   * are to active objects what they are for the answer to a call; a failure that nobody claims
   * reaches the failure handler.
   *
   * @param description what is awaited, for messages
   */
  <T> FutureResult<T> result(Supplier<String> description);

  /**
   * Returns a place for a result that is made of others, so that the deadlock detector finds waits
   * for it that can never end.
   *
   * @param sources what it is made of, by what is known when this is asked; on any thread
   */
  <T> FutureResult<T> result(Supplier<String> description, Supplier<ResultSources> sources);

  /**
   * Returns what tells the failure handler, that of the object which the current thread serves if
   * it has one, that a call failed for whose answer nobody waits.
   *
   * @param call what was called, for messages
   */
  Consumer<Throwable> failureReporter(Supplier<String> call);

  /**
   * Returns the same work for another thread, done in the name of the object that the current
   * thread serves, if any: what it calls is called by that object, behind what that serves now.
   */
  Runnable inName(Runnable work);

  /** Holds the instance, which is looked up once. */
  final class Loaded {
    private static final Collectives INSTANCE =
        ServiceLoader.load(Collectives.class, Collectives.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no runtime provides Collectives"));

    private Loaded() {}
  }
}
