package org.troupe.activeobjects.internal.call;

import org.troupe.activeobjects.hosting.MiddlewareObject;

/** Stands in a request for a method that the called object does not have. Is never invoked. */
public interface MissingMethod extends MiddlewareObject {

  /** The method {@link #missingMethod}. */
  CallMethod METHOD = ActiveType.of(MissingMethod.class).methods().getFirst();

  /** Does nothing. */
  void missingMethod();
}
