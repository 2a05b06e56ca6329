package org.troupe.activeobjects.internal.runtime;

import org.troupe.activeobjects.internal.collective.NodeCollectives;

/** The collectives of the nodes of this JVM, as the module provides them. */
public final class RuntimeCollectives extends NodeCollectives {

  /** Creates the instance; for the service loader. */
  public RuntimeCollectives() {
    super(NodeRuntime::current);
  }
}
