package org.troupe.activeobjects.collective;

import java.util.List;
import org.troupe.activeobjects.Ref;

/**
 * Active objects that are called together, prepared for many calls: the runtime divides them by
 * their nodes once. Immutable; {@link Collectives#recipients} creates it.
 */
public interface Recipients {

  /** Returns the objects. */
  List<? extends Ref<?>> objects();
}
