package org.troupe.replicas;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An object with a replica on each of its nodes. May be shared between threads, and may travel to
 * other nodes of its grid.
 *
 * @param <T> the class of the object
 */
public final class Replicated<T> implements AutoCloseable {

  private final ReplicaMember identity;
  private final Class<T> type;
  private final transient @Nullable MemberAdmission admission; // where the object was created

  Replicated(MemberAdmission admission, Class<T> type) {
    this.identity = admission.identity();
    this.type = Objects.requireNonNull(type, "type");
    this.admission = admission;
  }

  /** Returns the class of the object. */
  public Class<T> type() {
    return type;
  }

  /**
   * Returns a stub of the replica on the node that the current thread works for.
   *
   * <p>A read is a call of that replica. A write returns when it has taken effect there; it takes
   * effect on all replicas in one order. An interrupt does not end it. The stub may be passed to
   * other nodes, where it is a stub of their replicas.
   *
   * @throws IllegalStateException if the node has no replica of this object
   */
  public T here() {
    return type.cast(Replica.here(identity).stub());
  }

  /**
   * Ends the object on all nodes. Writes that have returned are before the end. Returns when all
   * replicas have applied them and are gone; nodes that join later get none. Calls of the object
   * fail from then on, as do writes under way that are not before the end. Has no effect on an
   * object that has ended.
   *
   * @throws IllegalStateException if it is called within a call of a replica, or on a node that has
   *     neither a replica nor created the object, when the object's first replica is lost or has
   *     failed
   */
  @Override
  public void close() {
    var isClosed = Replica.find(identity).map(Replica::close).orElse(false);
    if (admission != null) {
      admission.close();
    } else if (!isClosed) {
      closeByFirstMember();
    }
  }

  private void closeByFirstMember() {
    // A closed object keeps its first member, which answers; one that has ended was lost or failed.
    if (!MemberAdmission.answer(identity::close).orElse(false)) {
      throw new IllegalStateException(
          this
              + " cannot be closed from here, as its first node is lost or the replica there has"
              + " failed; close it on a node that has a replica, or in the program that created it");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Replicated<?> same && same.identity.equals(identity);
  }

  @Override
  public int hashCode() {
    return identity.hashCode();
  }

  @Override
  public String toString() {
    return "replicated " + type.getName();
  }
}
