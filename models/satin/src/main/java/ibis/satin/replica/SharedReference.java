package ibis.satin.replica;

import java.io.Serial;
import java.io.Serializable;

/** A shared object where it travels: the name by which the receiving node finds its replica. */
record SharedReference(String id) implements Serializable {

  /** Finds the replica of this node; waits for it if it has not come yet. */
  @Serial
  private Object readResolve() {
    return SharedReplicas.here().find(id);
  }
}
