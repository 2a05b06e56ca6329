package org.troupe.activeobjects.internal.peer;

import java.io.Serial;

/** Thrown when a message is about to be sent to an object that has left the other node. */
public final class ObjectMovedException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  static final ObjectMovedException INSTANCE = new ObjectMovedException();

  private ObjectMovedException() {
    super("the object has moved", null, false, false);
  }
}
