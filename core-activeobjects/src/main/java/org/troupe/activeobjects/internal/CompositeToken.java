package org.troupe.activeobjects.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.troupe.activeobjects.spi.Composite;

/**
 * Travels in place of a stub that stands for several objects.
 *
 * @param type the class that it stands for
 * @param parts the tokens of the objects
 * @param origin the node that it came from, or {@code null} if it is of this JVM
 */
record CompositeToken(String type, List<Object> parts, Peer origin) {

  /** Where the makers are looked for once. */
  private static final class Makers {
    static final Composite.Maker ONLY =
        ServiceLoader.load(Composite.Maker.class, Composite.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "a typed group arrived, and troupe-groups is not on this node's class"
                            + " path; put it there"));
  }

  /** Makes the stub of what the tokens stand for here. */
  Object stub(Copies copies) {
    var objects = new ArrayList<>(parts.size());
    for (var part : parts) {
      objects.add(copies.objectFor(part));
    }
    return Makers.ONLY.stub(copies.type(type, origin), objects);
  }
}
