package org.troupe.activeobjects.collective;

import java.util.function.Function;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.collective.BodyExtensions;
import org.troupe.activeobjects.internal.collective.CausalMulticast;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/**
 * What becomes of the answers to a multicast where they are given, before anything goes back.
 * Travels with the call: each object that is called has a copy of its own.
 */
public interface ReplyInterceptor {

  /**
   * The object has answered; on the thread that serves it, in its turn.
   *
   * @param place which of the objects of this node it is that got the call, from 0
   * @param answer what its method returned; may be a future
   * @return what goes back to the caller; may be a future
   */
  Object answered(int place, Object answer) throws Throwable;

  /** Returns what another object would have got of a value: a copy, if the value may change. */
  @SuppressWarnings("unchecked") // a copy is of the same class
  static <T> T copyOf(T value) {
    return (T) CausalMulticast.copyOf(value);
  }

  /** Returns the node that the current thread works for. */
  static NodeId here() {
    return CausalMulticast.here();
  }

  /**
   * Returns what the objects of a node have in common while they answer a call; the first that asks
   * has it made. It is kept until it is forgotten, or the node that made the call is lost.
   *
   * @param call drawn where the call was made
   * @param made is given what forgets it, for any thread
   */
  static <S> S common(BodyExtension.Key call, Function<Runnable, S> made) {
    return NodeRuntime.current().common(call, made);
  }

  /** Forgets what the objects of a node have in common, and returns it; or {@code null}. */
  static Object forgotten(BodyExtension.Key call) {
    return NodeRuntime.current().forgetCommon(call);
  }

  /**
   * Attaches something to the node that the current thread works for, as to an object, so that
   * those on other nodes reach it with parcels; until it is over, or detached.
   */
  static void attachToNode(BodyExtension attachment) {
    BodyExtensions.attachToNode(attachment);
  }

  /** Detaches it again, and returns it; or {@code null}. What comes later for it is dropped. */
  static BodyExtension detachFromNode(BodyExtension.Key key) {
    return BodyExtensions.detachFromNode(key);
  }

  /** As {@link BodyExtension#send}, to what is attached to the node where an object is. */
  static void sendToNode(
      Ref<?> neighbour, BodyExtension.Key key, int from, long tag, Object value) {
    BodyExtensions.sendToNode(neighbour, key, from, tag, value);
  }

  /** The object's method threw; what this returns or throws goes back to the caller. */
  default Object failed(int place, Throwable failure) throws Throwable {
    throw failure;
  }
}
