package org.troupe.groups;

import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.ReplyInterceptor;

/**
 * Passes each answer on from where it was given; back goes only that the receiver has served it.
 *
 * @param receiver a stub or a typed group
 */
public record ReplyForwarder<Q, V>(Q receiver, Invocation.Forward<? super Q, ? super V> call)
    implements ReplyInterceptor {

  /**
   * Fails if an object cannot get answers from other JVMs.
   *
   * @return the same object
   */
  public static <Q> Q receiver(Q object) {
    if (!Group.isGroup(object) && !ActiveObjects.isStub(object)) {
      throw new IllegalArgumentException(
          "answers go from where they are given to an active object or a typed group, but the receiver is "
              + (object == null ? "null" : "a plain " + object.getClass().getName())
              + "; make it active with ActiveObjects.here().create(..), or gather the answers and"
              + " pass them on");
    }
    return object;
  }

  @Override
  @SuppressWarnings("unchecked") // the answer of a call that gives V
  public Object answered(int place, Object answer) {
    return pass((V) answer);
  }

  private CompletableFuture<Void> pass(V answer) {
    return Group.isGroup(receiver)
        ? Group.of(receiver).tell(member -> call.on(member, answer))
        : ActiveObjects.ref(receiver).tell(object -> call.on(object, answer));
  }
}
