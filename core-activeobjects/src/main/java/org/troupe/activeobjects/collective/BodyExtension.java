package org.troupe.activeobjects.collective;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.transport.ReceiveBuffer;

/**
 * An extension of an active object, such as its membership in an SPMD group. It is attached by a
 * request in the object's queue. Extensions of different objects exchange packets, which bypass the
 * queues.
 */
public interface BodyExtension {

  /** Returns the key that it shares with its counterparts at other objects. */
  Key key();

  /** Identifies a set of extensions that exchange packets. */
  record Key(long origin, long number) {}

  /**
   * Called once, as a request of the object, when the extension has been attached. Packets that
   * arrived before are delivered after this returns.
   */
  void attached(Ref<?> self);

  /**
   * Receives a packet. Packets of one sender arrive in the order sent; packets of different senders
   * may arrive concurrently. Called on threads that must neither block nor run user code.
   *
   * @param from the number that the sender gave for itself
   * @param tag the tag that the sender gave
   */
  void received(int from, long tag, Packet packet);

  /**
   * Returns the posted buffer for the array of the next packet, or {@code null} if no thread has
   * posted one; the packet is then delivered like any other. Called for arrays that are transferred
   * separately from other bytes, under the rules of {@link #received}.
   */
  default @Nullable ReceiveBuffer receiveBuffer(int from, long tag, Class<?> element, int length) {
    return null;
  }

  /**
   * Called when a node has been lost; possibly twice if it was lost while this was being attached.
   * Called on a thread that must neither block nor run user code.
   *
   * @param why a sentence that names the node
   */
  void lost(NodeId node, String why);

  /**
   * Returns whether the extension is no longer used. It is then removed, at the latest when another
   * one is attached. Called under locks.
   */
  default boolean isOver() {
    return false;
  }

  /**
   * Returns, for listings of stacks, a line for each thread of the object that waits for packets;
   * the line says which packets it waits for. Called on any thread.
   */
  default List<String> waits() {
    return List.of();
  }

  /**
   * Returns the place of its object in a group, for a report; {@code null} if it is in none. Called
   * by any thread; neither blocks nor runs user code.
   */
  default @Nullable GroupStanding standing() {
    return null;
  }

  /** A value sent to an extension; decoded on demand. */
  interface Packet {

    /**
     * Decodes and returns the value; to be called once. The thread that delivers the packet may
     * call it only if the value is small and of no user class.
     */
    @Nullable Object value();

    /** Returns whether the receiver owns the array in it exclusively. */
    default boolean isOwn() {
      return false;
    }

    /**
     * Returns whether the value was received directly into this array, which {@link
     * BodyExtension#receiveBuffer} had posted; then there is no other value.
     */
    default boolean isIn(Object array) {
      return false;
    }
  }
}
