package org.troupe.replicas;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.hosting.MiddlewareObject;

/** A member of a replicated object: the active object of a node that receives its messages. */
interface ReplicaMember extends MiddlewareObject {

  /**
   * Makes this member the first one of an object.
   *
   * @return whether it is; waits until then
   */
  boolean begin(Object object);

  /**
   * Joins the members of an object.
   *
   * @param members all that there are
   * @return completes with {@code true} when this member has a replica, and with {@code false} when
   *     all members are lost
   */
  CompletableFuture<Boolean> join(List<ReplicaMember> members);

  /** Takes messages of another member, in the order in which it has sent them. */
  void receive(List<OrderMessage> messages);
}
