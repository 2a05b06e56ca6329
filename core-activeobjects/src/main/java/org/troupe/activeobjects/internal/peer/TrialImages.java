package org.troupe.activeobjects.internal.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.listing.ObjectName;
import org.troupe.activeobjects.internal.marshal.CompositeToken;
import org.troupe.activeobjects.internal.marshal.FutureToken;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObjectImage;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.SerializationException;

/** Makes copies of the objects of one node that are put on trial. */
public final class TrialImages implements ObjectImage.Maker {

  /*
   * Design: images in memory
   *
   * An image is encoded like an argument, so its references stand beside the bytes. Those to objects that take part in the
   * round are replaced by names. The others are kept as they are, and hold their objects. When the object is made again, each name
   * becomes a reference that its host is told of, like that to a caller.
   */

  private final NodeObjects node;

  public TrialImages(NodeObjects node) {
    this.node = node;
  }

  @Override
  public ObjectImage of(Object object) {
    // The object is encoded by its own fields, not as a reference to itself.
    var nobody = new ServiceContext(null, ServicePolicy.IN_TURN).enter();
    try {
      var image = new Image(node.marshaller().encode(object));
      image.requireWhole();
      return image;
    } finally {
      nobody.leave();
    }
  }

  /**
   * The name of an object instead of a reference to it.
   *
   * @param type by which the reference calls the object
   * @param home the host; {@code null} if it is this node
   * @param bound the number of requests of this JVM that its queue may hold, or 0
   * @param immediates the methods that bypass the queue
   * @param timeout the time limit of calls; {@code null} for that of the node
   */
  private record Named(
      ObjectName name,
      Class<?> type,
      @Nullable RemoteNode home,
      int bound,
      String immediates,
      @Nullable Duration timeout) {

    Reference<?> reference(NodeObjects node, Collection<RemoteNode> told) {
      return new Reference<>(node, ActiveType.of(type), target(node, told), timeout);
    }

    private Reference.Target target(NodeObjects node, Collection<RemoteNode> told) {
      if (home == null) {
        var body = node.body(name.number());
        if (body == null) {
          throw new SerializationException("an object to which it refers has ended");
        }
        return new Reference.Target.Here(body);
      }
      var peer = Peer.of(home);
      var object = peer.isLost() ? null : peer.keepFromNowOn(name.number());
      told.add(peer);
      return new Reference.Target.Elsewhere(peer, name.number(), bound, immediates, object);
    }
  }

  /** A copy of one object; used by one thread at a time. */
  private final class Image implements ObjectImage {

    private final Payload payload;
    private List<Object> side;
    private final Set<ObjectName> names = new LinkedHashSet<>();

    Image(Payload whole) {
      side = whole.values().side();
      payload = with(whole, List.of()); // it must not hold the references
    }

    private static Payload with(Payload one, List<Object> tokens) {
      var values = one.values();
      return new Payload(
          new EncodedGraph(values.bytes(), values.typeIds(), tokens, values.arrays()),
          one.types(),
          one.codec());
    }

    /** Checks that the object can be made again. */
    void requireWhole() {
      side.forEach(this::require);
      decode(side);
    }

    private void require(Object token) {
      switch (token) {
        case FutureToken(var result, String _) ->
            throw new SerializationException(result.describe() + " cannot be copied");
        case CompositeToken composite -> composite.parts().forEach(this::require);
        case Reference<?> reference -> addName(reference);
        case ExplicitReference(Reference<?> reference) -> addName(reference);
        default -> {} // a node
      }
    }

    private void addName(Reference<?> reference) {
      var name = nameOf(reference);
      if (name != null) {
        names.add(name);
      }
    }

    private Object decode(List<Object> tokens) {
      return with(payload, tokens).decode(node.marshaller())[0];
    }

    @Override
    public List<ObjectName> names() {
      return List.copyOf(names);
    }

    @Override
    public void nameOnly(Set<ObjectName> objects) {
      side = side.stream().map(each -> withNames(each, objects)).toList();
    }

    private Object withNames(Object token, Set<ObjectName> objects) {
      return switch (token) {
        case Reference<?> reference -> named(reference, reference, objects);
        case ExplicitReference(Reference<?> reference) ->
            named(token, reference, objects) instanceof Named named
                ? new ExplicitNamed(named)
                : token;
        case CompositeToken(String type, List<Object> parts, var origin) ->
            new CompositeToken(
                type, parts.stream().map(each -> withNames(each, objects)).toList(), origin);
        default -> token;
      };
    }

    private Object named(Object token, Reference<?> reference, Set<ObjectName> objects) {
      var name = nameOf(reference);
      if (name == null || !objects.contains(name)) {
        return token;
      }
      var type = reference.type();
      var timeout = reference.timeout();
      return switch (reference.target()) {
        case Reference.Target.Here _ -> new Named(name, type, null, 0, "", timeout);
        case Reference.Target.Elsewhere(var home, _, int bound, String immediates, _) ->
            new Named(name, type, home, bound, immediates, timeout);
      };
    }

    @Override
    public Object make(Collection<RemoteNode> told) {
      return decode(side.stream().map(each -> withReferences(each, told)).toList());
    }

    private Object withReferences(Object token, Collection<RemoteNode> told) {
      return switch (token) {
        case Named named -> named.reference(node, told);
        case ExplicitNamed(Named named) -> new ExplicitReference(named.reference(node, told));
        case CompositeToken(String type, List<Object> parts, var origin) -> {
          var made = new ArrayList<>(parts.size());
          parts.forEach(each -> made.add(withReferences(each, told)));
          yield new CompositeToken(type, made, origin);
        }
        default -> token;
      };
    }
  }

  private record ExplicitNamed(Named named) {}

  /** Returns the name of an object that may be on trial; else {@code null}. */
  private @Nullable ObjectName nameOf(Reference<?> reference) {
    return switch (reference.target()) {
      case Reference.Target.Here(Body body) when body.node() == node && body.origin() == null ->
          new ObjectName(node.id().incarnation(), body.number());
      case Reference.Target.Here _ -> null;
      case Reference.Target.Elsewhere(var home, long number, _, _, var object) ->
          object == null ? null : new ObjectName(home.id().incarnation(), number);
    };
  }
}
