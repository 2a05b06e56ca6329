package org.troupe.activeobjects.collective;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;

/**
 * Work of the middleware that an object does as a request in its turn: behind the requests sent to
 * it before, and held back by {@linkplain RequestGate gates} as they are. Travels to the object;
 * each object has a copy of its own.
 */
public interface BodyVisit {

  /**
   * Does the work, on the thread that serves the object.
   *
   * @return the answer; may be a future
   */
  @Nullable Object visit(Ref<?> self);
}
