package org.troupe.activeobjects.internal.marshal;

import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.activeobjects.internal.classes.ClassProvider;

/**
 * The encoded form of a stub that stands for several objects.
 *
 * @param type the class that the stub stands for
 * @param parts the tokens of the objects
 * @param origin the node that sent it, or {@code null} if it belongs to this JVM
 */
public record CompositeToken(String type, List<Object> parts, @Nullable ClassProvider origin) {

  /** Holds the makers of composite stubs, which are looked up once. */
  private static final class Makers {
    static final List<CompositeStub.Maker> ALL =
        ServiceLoader.load(CompositeStub.Maker.class, CompositeStub.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
  }

  /** Makes a stub of the class for the objects. */
  public static Object stub(Class<?> type, List<?> objects) {
    for (var maker : Makers.ALL) {
      if (maker.accepts(objects)) {
        return maker.stub(type, objects);
      }
    }
    throw new IllegalStateException(
        "a typed group or a replicated object has arrived, but troupe-groups or troupe-replicas is"
            + " not on this node's class path; put it there");
  }
}
