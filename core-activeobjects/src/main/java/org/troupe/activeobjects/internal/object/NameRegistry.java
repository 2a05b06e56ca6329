package org.troupe.activeobjects.internal.object;

import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.body.Body;

/** The objects registered under names on one node; each may live on any node. */
public final class NameRegistry {

  private final String nodeName;
  private final Map<String, Reference<?>> references = new ConcurrentHashMap<>();

  NameRegistry(String nodeName) {
    this.nodeName = nodeName;
  }

  /** Registers an object of any node under a name on this one. */
  public void register(String name, Reference<?> reference) {
    if (references.putIfAbsent(name, reference) != null) {
      throw new IllegalArgumentException(
          "the name '" + name + "' is taken on node '" + nodeName + "'; choose another");
    }
  }

  /** Finds an object registered on this node. */
  public <T> Reference<T> lookup(String name, Class<T> type) {
    var found = references.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "nothing is registered as '"
              + name
              + "' on node '"
              + nodeName
              + "'; "
              + (references.isEmpty()
                  ? "no name is; register the object there first"
                  : "registered are " + new TreeSet<>(references.keySet())));
    }
    var known =
        found.target() instanceof Reference.Target.Here(Body body)
            ? body.type().type()
            : found.type();
    // A remote object may have further types besides the one it was registered as.
    var isPossible =
        type.isAssignableFrom(known)
            || found.target() instanceof Reference.Target.Elsewhere && known.isAssignableFrom(type);
    if (!isPossible) {
      throw new IllegalArgumentException(
          "what is registered as '"
              + name
              + "' on node '"
              + nodeName
              + "' is "
              + IndefiniteArticle.before(known.getName())
              + ", no "
              + type.getName()
              + "; look it up by its class, or an interface of it");
    }
    return found.as(type);
  }

  /** Passes each name to a reader, with the object that it stands for. */
  public void forEach(BiConsumer<String, Reference.Target> reader) {
    references.forEach((name, reference) -> reader.accept(name, reference.target()));
  }

  /** Removes the names of a body that has ended. */
  void removeAll(Body ended) {
    references.values().removeIf(each -> each.target().equals(new Reference.Target.Here(ended)));
  }
}
