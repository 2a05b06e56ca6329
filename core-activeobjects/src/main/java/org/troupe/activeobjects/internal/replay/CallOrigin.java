package org.troupe.activeobjects.internal.replay;

import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The caller that numbers its calls to an object. */
public sealed interface CallOrigin {

  /**
   * A logged object. It counts its calls again when it is made again, so a repeated call has the
   * same name.
   */
  record Logged(ObjectIdentity object) implements CallOrigin {}

  /** All other callers in one JVM. Its numbers end with it. */
  record Process(NodeId node) implements CallOrigin {}

  /**
   * The callers on the node of the object, whose calls reach it as long as they live. The object
   * itself numbers these calls when it takes them.
   */
  record Near() implements CallOrigin {}
}
