package org.troupe.activeobjects.collective;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.collective.BodyExtensions;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.futures.FutureResult;

/**
 * Something that an active object carries beside its own state, such as its place in a group; sent
 * to it like a call, and reached by other attachments with parcels, which pass the object's queue.
 */
public interface BodyExtension {

  /** Returns what identifies it among those of an object, and its counterparts at others. */
  Key key();

  /** What no other group of attachments has. */
  record Key(long origin, long number) {

    /** Returns a new key. */
    public static Key unique() {
      return BodyExtensions.newKey();
    }
  }

  /**
   * The object carries this from now on. Called once, in the object's turn; parcels that came
   * before follow when this returns.
   */
  void attached(Ref<?> self);

  /**
   * Takes a parcel. Parcels of one sender come in the order sent, those of several at the same
   * time; on threads that must not wait, nor run user code.
   *
   * @param from the sender's own number, as it gave it
   * @param tag as the sender gave it
   */
  void received(int from, long tag, Parcel parcel);

  /**
   * Returns where the numbers of the next parcel go if somebody waits for them, {@code null} else;
   * the parcel then comes as any other. Asked for those that travel apart from other bytes, on
   * threads as {@link #received} is.
   */
  default ReceiveBuffer room(int from, long tag, Class<?> element, int length) {
    return null;
  }

  /**
   * A node is gone; perhaps told twice of one that went while this was attached. On a thread that
   * must not wait, nor run user code.
   *
   * @param why a sentence that names the node
   */
  void lost(NodeId node, String why);

  /**
   * Says whether it is of no more use to anybody: then it goes, at the latest when another is
   * attached. Called under locks.
   */
  default boolean isOver() {
    return false;
  }

  /** What was sent, still encoded if it has to be decoded. */
  interface Parcel {

    /**
     * Returns the value; decodes it, so on the thread that brought it only if nothing is expected
     * that is large, or of a user's class. To be called once.
     */
    Object value();

    /** Says whether an array of numbers in it is the receiver's alone, to change or to give. */
    default boolean isOwn() {
      return false;
    }

    /**
     * Says whether its numbers have been read into {@link BodyExtension#room} in that array: then
     * there is no other value.
     */
    default boolean isIn(Object array) {
      return false;
    }
  }

  /**
   * Sends an attachment to objects, as a call to each: each gets a copy of its own, in its turn.
   *
   * @return completes for each when it is attached
   */
  static List<FutureResult<Object>> attach(
      BodyExtension attachment, List<? extends Ref<?>> objects) {
    return BodyExtensions.attach(attachment, objects);
  }

  /**
   * Refuses objects on nodes of different grids, as far as this node is in both: their attachments
   * could not reach each other.
   *
   * @throws IllegalArgumentException if there are such
   */
  static void requireOneGrid(List<? extends Ref<?>> objects) {
    BodyExtensions.requireOneGrid(objects);
  }

  /** Returns the node of an object; empty if that is in no grid, or has left it. */
  static Optional<Node> node(Ref<?> object) {
    return BodyExtensions.node(object);
  }

  /**
   * Returns those attachments of the object that the current thread serves which are of a class, in
   * the order in which they were attached.
   *
   * @throws IllegalStateException if the thread serves no object
   */
  static <A extends BodyExtension> List<A> ofCurrent(Class<A> type) {
    return BodyExtensions.ofCurrent(type);
  }

  /** Attaches to the object that the current thread serves, at once. */
  static void attachHere(BodyExtension attachment) {
    BodyExtensions.attachHere(attachment);
  }

  /**
   * Runs something in the turn of an object of this node, when all has begun that another object
   * had sent to it before; passes what others have sent and is held.
   *
   * @param object as given to {@link #attached}
   * @param sender the other object
   * @param keeps whether what the sender has sent since then stays behind this; asked under locks,
   *     and anew when a hold of the object has {@linkplain RequestGate#changed changed}
   * @return gives the call that it was last found to wait behind, for messages, or {@code null}
   */
  static Supplier<String> inTurn(
      Ref<?> object, Ref<?> sender, Runnable task, BooleanSupplier keeps) {
    return BodyExtensions.inTurn(object, sender, task, keeps);
  }

  /**
   * Gives an object of this node a platform thread from its next request on, as those get that are
   * seen to compute; called in its turn. One that only ever serves short requests, in which it
   * waits for no parcel, loses it again.
   */
  static void expectComputing(Ref<?> object) {
    BodyExtensions.expectComputing(object);
  }

  /**
   * Lets the current thread, which serves an object and waits for a parcel, receive what comes to
   * the node by itself, if it is a platform thread, for as long as that is likely to be quicker
   * than to be woken. Returns soon, perhaps at once.
   *
   * @param isWaiting whether it still waits; asked very often, without locks
   */
  static void receiveWhile(BooleanSupplier isWaiting) {
    BodyExtensions.receiveWhile(isWaiting);
  }

  /** Reports a failure to whoever hears of those of an object of this node. */
  static void report(Ref<?> object, String what, Throwable cause) {
    BodyExtensions.report(object, what, cause);
  }

  /**
   * Removes an attachment from the object that the current thread serves; what comes later for it
   * is dropped.
   */
  static void detach(Key key) {
    BodyExtensions.detach(key);
  }

  /**
   * Sends a parcel to the attachment of an object. Returns at once; where the object lives in this
   * JVM, the parcel has been received then. Nothing happens if the object is gone.
   *
   * @param value is copied, but for an array of numbers: that is handed over, so that nobody may
   *     change it any more
   */
  static void send(Ref<?> object, Key key, int from, long tag, Object value) {
    BodyExtensions.send(object, key, from, tag, value, false);
  }

  /**
   * Sends an array of numbers that nobody else has or will use: in this JVM it is the receiver's
   * own from now on, and if it goes to another it is {@link #spare} when it has arrived there.
   */
  static void give(Ref<?> object, Key key, int from, long tag, Object array) {
    BodyExtensions.send(object, key, from, tag, array, true);
  }

  /**
   * Sends some of an array of numbers, which is the caller's own again when this returns. If they
   * are many, it waits until they have arrived in the other JVM, though for nobody who takes them
   * there; the receiver gets them as an array of its own.
   */
  static void lend(Ref<?> object, Key key, int from, long tag, Frame.Slice numbers) {
    BodyExtensions.lend(object, key, from, tag, numbers);
  }

  /** Returns an array of numbers that nobody uses any more, or {@code null} if there is none. */
  static Object spare(Class<?> element, int length) {
    return BodyExtensions.spare(element, length);
  }

  /** Leaves an array of numbers, which nobody else has, to whoever needs one. */
  static void leave(Object array) {
    BodyExtensions.leave(array);
  }
}
