package org.troupe.activeobjects.internal.call;

import org.jspecify.annotations.Nullable;
import org.troupe.stubs.CallHandler;

/**
 * The handler behind the stubs of active objects. A generated stub names the class of its handler;
 * this class stands for references to active objects, which are defined in a package above and
 * extend it.
 */
public abstract class ActiveObjectHandler implements CallHandler {

  private static final Object[] NO_ARGUMENTS = {};

  /** Receives the calls of methods without parameters, for which a stub creates no array. */
  public final @Nullable Object call(int method) throws Throwable {
    return call(method, NO_ARGUMENTS);
  }
}
