package org.troupe.activeobjects.collective;

import java.util.List;
import org.troupe.stubs.CallHandler;

/**
 * The call handler of a stub that stands for several objects. If such a stub is an argument or a
 * result of a call, its objects are sent, each in its own way, and the receiving node makes a stub
 * of them.
 */
public interface CompositeStub extends CallHandler {

  /** Returns the objects, in order: stubs, futures and stubs of this kind. */
  List<?> parts();

  /** Makes a stub of received objects; found by the service loader. */
  interface Maker {

    /** Returns whether the maker makes stubs of such objects; no other one does. */
    boolean accepts(List<?> parts);

    /**
     * Returns the stub.
     *
     * @param type the class or interface that it stands for
     * @param parts the received objects, in order
     */
    Object stub(Class<?> type, List<?> parts);
  }
}
