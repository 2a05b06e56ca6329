package org.troupe.activeobjects.internal.keeping;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** Stands in an image for an object that is not copied. */
sealed interface StoredToken {

  /**
   * A reference to an active object.
   *
   * @param type the name of the class or interface by which the object is called
   * @param bound the number of requests of one node that its queue may hold, or 0; negative if the
   *     full queue refuses calls
   * @param immediates the methods that bypass its queue
   * @param host where it was after a move; {@code null} if it has not moved
   * @param epoch how many times it had moved
   * @param hostAddress the address of that node
   * @param keepsCalls whether the object outlives its node with its calls
   * @param isExplicit whether it is a {@code Ref} rather than a stub
   */
  record Reference(
      String type,
      ObjectIdentity object,
      int bound,
      String immediates,
      @Nullable NodeId host,
      int epoch,
      String hostAddress,
      boolean keepsCalls,
      boolean isExplicit)
      implements StoredToken {}

  /**
   * A member of the group whose images were made together.
   *
   * @param type the name of the class or interface by which the member is called
   * @param isExplicit whether it is a {@code Ref} rather than a stub
   */
  record Member(int rank, String type, boolean isExplicit) implements StoredToken {}

  /** A stub for several objects. */
  record Group(String type, List<StoredToken> parts) implements StoredToken {}

  /**
   * A future that has its outcome.
   *
   * @param type the class that the transparent future stands for; {@code null} for a completable
   *     future
   * @param failure why there is no value; {@code null} if there is one
   */
  record Result(@Nullable String type, @Nullable Object value, @Nullable Throwable failure)
      implements StoredToken {}

  /**
   * A node.
   *
   * @param member {@code null} for the node of a JVM without grid
   */
  record Node(@Nullable NodeDescription member) implements StoredToken {}

  /** A live set of nodes. */
  record Nodes(String virtualNode) implements StoredToken {}
}
