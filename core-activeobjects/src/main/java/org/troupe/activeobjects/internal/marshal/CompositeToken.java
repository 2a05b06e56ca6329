package org.troupe.activeobjects.internal.marshal;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.activeobjects.internal.peer.Peer;

/**
 * Travels in place of a stub that stands for several objects.
 *
 * @param type the class that it stands for
 * @param parts the tokens of the objects
 * @param origin the node that it came from, or {@code null} if it is of this JVM
 */
public record CompositeToken(String type, List<Object> parts, Peer origin) {

  /** Where the makers are looked for once. */
  private static final class Makers {
    static final CompositeStub.Maker ONLY =
        ServiceLoader.load(CompositeStub.Maker.class, CompositeStub.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "a typed group arrived, and troupe-groups is not on this node's class"
                            + " path; put it there"));
  }

  /** Makes the stub of what the tokens stand for here. */
  Object stub(Marshaller copies) {
    var objects = new ArrayList<>(parts.size());
    for (var part : parts) {
      objects.add(copies.objectFor(part));
    }
    return Makers.ONLY.stub(copies.type(type, origin), objects);
  }
}
