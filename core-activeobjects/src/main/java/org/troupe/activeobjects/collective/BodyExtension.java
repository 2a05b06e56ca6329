package org.troupe.activeobjects.collective;

import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.transport.ReceiveBuffer;

/**
 * Something that an active object carries beside its own state, such as its place in a group; sent
 * to it like a call, and reached by other attachments with parcels, which pass the object's queue.
 */
public interface BodyExtension {

  /** Returns what identifies it among those of an object, and its counterparts at others. */
  Key key();

  /** What no other group of attachments has. */
  record Key(long origin, long number) {}

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
}
