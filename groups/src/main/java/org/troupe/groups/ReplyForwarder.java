package org.troupe.groups;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.ReplyInterceptor;

/**
 * Forwards each answer to a receiver, from the node that gives it; the caller learns only that the
 * receiver has served it.
 *
 * @param receiver a stub or a typed group
 */
record ReplyForwarder<Q, V>(Q receiver, Invocation.Forward<? super Q, ? super V> call)
    implements ReplyInterceptor {

  @Override
  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the answer of a call that gives V, perhaps nullable
  public Object answered(int place, @Nullable Object answer) {
    return pass((V) answer);
  }

  private CompletableFuture<Void> pass(V answer) {
    return Group.isGroup(receiver)
        ? Group.of(receiver).tell(member -> call.on(member, answer))
        : ActiveObjects.ref(receiver).tell(object -> call.on(object, answer));
  }
}
