package org.troupe.activeobjects.internal.coordination;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/** The coordinator's own node, on which objects are created and made anew without a call. */
public interface LocalRestarter {

  /** Makes an object anew; the future completes when it is served, or given up. */
  CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) throws IOException;

  /** Makes an object with a name. */
  ObjectIdentity create(NamedObjects.Request request) throws Exception;

  /** Returns the names of the journals that this node has in its memory. */
  List<String> copies();
}
