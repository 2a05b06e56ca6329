package org.troupe.replicas;

import java.util.Objects;

/**
 * An object with a replica on each of its nodes. May be shared between threads, and may travel to
 * other nodes of its grid.
 *
 * @param <T> the class of the object
 */
public final class Replicated<T> {

  private final ReplicaMember identity;
  private final Class<T> type;

  Replicated(ReplicaMember identity, Class<T> type) {
    this.identity = Objects.requireNonNull(identity, "identity");
    this.type = Objects.requireNonNull(type, "type");
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
