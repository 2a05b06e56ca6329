package org.troupe.replicas;

/**
 * A write was under way when the node that orders the writes was lost, and no surviving replica has
 * it. It takes effect on none of them. Whether it had taken effect on the lost node, where others
 * may have read it, is unknown; call again if it must happen.
 */
public final class WriteLostException extends RuntimeException {

  private static final long serialVersionUID = 1;

  WriteLostException(String replica) {
    super(
        "a write through the "
            + replica
            + " was lost together with the node that orders the writes; no surviving replica has"
            + " it. Call again if it must happen");
  }
}
