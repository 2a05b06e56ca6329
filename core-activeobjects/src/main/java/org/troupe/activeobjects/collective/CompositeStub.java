package org.troupe.activeobjects.collective;

import java.util.List;
import org.troupe.stubs.CallHandler;

/**
 * Behind a stub that stands for several objects at once. It may be an argument or a result of a
 * call: then those objects travel, each in its way, and a stub is made of them where they arrive.
 */
public interface CompositeStub extends CallHandler {

  /** Returns the objects, in order: stubs, futures and stubs of this kind. */
  List<?> parts();

  /** Makes such stubs of what has arrived; found as a service. */
  interface Maker {

    /**
     * Returns the stub.
     *
     * @param type the class or interface that it stands for
     * @param parts the objects, as they arrived
     */
    Object stub(Class<?> type, List<?> parts);
  }
}
