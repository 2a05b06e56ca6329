package ibis.satin;

import java.io.Serializable;
import java.util.UUID;

/**
 * An object with a replica on each node that needs it. The methods that an interface extending
 * {@link WriteMethodsInterface} declares are applied to all replicas; the others read the local
 * one.
 *
 * <p>In a program that is not woven it is an ordinary object.
 */
public class SharedObject implements Serializable {

  private static final long serialVersionUID = 1;

  private final String id = UUID.randomUUID().toString();

  private boolean local = true;

  /** For subclasses. The object is unshared. */
  protected SharedObject() {}

  /**
   * Sends this object to all nodes; from now on its writes are sent, too.
   *
   * @throws RuntimeException if it was exported before, or has been a parameter of a spawn
   */
  public void exportObject() {
    if (!local) {
      throw new IllegalStateException(
          "shared object %s (%s) is shared already: it was exported, or a parameter of a spawn, before; export an object once, before its first spawn"
              .formatted(getClass().getName(), id));
    }
    local = false;
  }

  /** Returns whether no other node knows this object, so that its writes are not sent. */
  public final boolean isUnshared() {
    return local;
  }

  /** Returns the name of this object, the same on all nodes. */
  public final String getObjectId() {
    return id;
  }

  /** Returns the name of this object, which is shared from now on. */
  public String getObjectIdAndSetNonlocal() {
    local = false;
    return id;
  }
}
