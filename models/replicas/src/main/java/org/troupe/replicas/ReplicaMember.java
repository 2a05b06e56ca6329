package org.troupe.replicas;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.MiddlewareObject;

/** A member of a replicated object: the active object of a node that receives its messages. */
interface ReplicaMember extends MiddlewareObject {

  /**
   * Makes this member the first one of an object.
   *
   * @return whether it is; waits until then
   */
  boolean begin(Object object);

  /** How a newcomer has joined the members of an object. */
  enum Joined {
    WITH_REPLICA,
    /** All members have ended before one has given a state. */
    WITHOUT_OTHERS,
    /** The object was closed. */
    TOO_LATE
  }

  /**
   * Joins the members of an object.
   *
   * @param members all that there are
   */
  CompletableFuture<Joined> join(List<ReplicaMember> members);

  /**
   * Closes the object.
   *
   * @return completes with {@code true} when it is closed on all nodes, and with {@code false} if
   *     this member ends before
   */
  CompletableFuture<Boolean> close();

  /**
   * Numbers a write of another member.
   *
   * @return the number; {@code null} if the write gets none in the view in which it is proposed
   */
  OrderMessage.@Nullable Numbered number(OrderMessage.Proposal proposal);

  /** Takes messages of another member, in the order in which it has sent them. */
  void receive(List<OrderMessage> messages);
}
