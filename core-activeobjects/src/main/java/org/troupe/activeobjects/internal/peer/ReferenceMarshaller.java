package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.marshal.CompositeToken;
import org.troupe.activeobjects.internal.marshal.EncodedFailure;
import org.troupe.activeobjects.internal.marshal.FutureToken;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.marshal.PassedByName;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.ForwardedFuture;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.object.RemoteObject;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.stubs.Stubs;

/** Passes stubs, futures and nodes between nodes as tokens that name them. */
public final class ReferenceMarshaller extends Marshaller {

  private final NodeObjects node;
  private final ClassAccess classes;
  private final PeerFinder peers;
  private final Supplier<? extends Relocations> relocations;

  /** Finds the peer that another node has named. */
  @FunctionalInterface
  public interface PeerFinder {
    RemoteNode named(NodeId node, Membership membership, String address);
  }

  public ReferenceMarshaller(
      NodeObjects node,
      ClassAccess classes,
      PeerFinder peers,
      Supplier<? extends Relocations> relocations) {
    super(classes, node.name());
    this.node = node;
    this.classes = classes;
    this.peers = peers;
    this.relocations = relocations;
  }

  @Override
  public @Nullable Object tokenFor(Object value) {
    var reference = Reference.behind(value);
    if (reference != null) {
      return reference;
    }
    if (value instanceof Reference<?> explicit) {
      return new ExplicitReference(explicit);
    }
    var future = Futures.resultOf(value);
    if (future != null) {
      var type = Stubs.handlerOf(value) == null ? null : Stubs.typeOf(value).getName();
      return new FutureToken(asItIsNow(future), type);
    }
    if (value instanceof CompletableFuture<?> explicit) {
      return new FutureToken(node.answers().resultOf(explicit), null);
    }
    if (Stubs.handlerOf(value) instanceof CompositeStub composite) {
      var parts = composite.parts().stream().map(this::tokenFor).toList();
      return new CompositeToken(Stubs.typeOf(value).getName(), parts, null);
    }
    if (value instanceof PassedByName) { // a node, or a live set of nodes
      return value;
    }
    var body = ServiceContext.currentBody();
    return body != null && body.target() == value ? Reference.to(body) : null;
  }

  /** Recognises the object of the current body, at any depth of a graph. */
  @Override
  public Runnable carried(Runnable part) {
    return ServiceContext.carried(part);
  }

  /**
   * A future whose value has been used is sent as its present value, which the sender may have
   * changed.
   */
  private FutureResult<?> asItIsNow(FutureResult<?> future) {
    return switch (future.outcomeNow()) {
      case null -> future;
      case Outcome.Failure<?> failure -> future;
      case Outcome.Encoded<?> encoded
          when !encoded.isOpened() || !(encoded.form() instanceof Payload) ->
          future;
      case Outcome.Success<?> success -> snapshot(future);
      case Outcome.Encoded<?> opened -> snapshot(future);
    };
  }

  private FutureResult<?> snapshot(FutureResult<?> arrived) {
    if (!(arrived.await() instanceof Outcome.Success<?>(Object value)) || isShareable(value)) {
      return arrived;
    }
    var copy = new ForwardedFuture(node, arrived);
    copy.settle(decodedLater(encode(value)));
    return copy;
  }

  /** Returns the object that a token stands for on this node. */
  @Override
  protected @Nullable Object objectFor(@Nullable Object token) {
    return switch (Objects.requireNonNull(token)) {
      case Reference<?> reference -> reference.stub();
      case RemoteName name -> reference(name).stub();
      case ExplicitReference(Reference<?> reference) -> reference;
      case ExplicitName(RemoteName name) -> reference(name);
      case FutureToken(FutureResult<?> result, String type) -> {
        var holder = new ForwardedFuture(node, result);
        result.claim();
        result.onSettled(outcome -> settleCopy(holder, outcome));
        yield type == null
            ? holder.asCompletableFuture()
            : holder.asTransparent(classes.find(type, originOf(result)));
      }
      case CompositeToken composite -> composite(composite);
      case PassedByName named -> named;
      default -> throw new AssertionError(token);
    };
  }

  private Object composite(CompositeToken token) {
    var objects = new ArrayList<>(token.parts().size());
    for (var part : token.parts()) {
      objects.add(objectFor(part));
    }
    return CompositeToken.stub(classes.find(token.type(), token.origin()), objects);
  }

  private static @Nullable ClassProvider originOf(FutureResult<?> future) {
    return future instanceof ForwardedFuture forwarded && forwarded.origin != null
        ? forwarded.origin.classes()
        : null;
  }

  private Reference<?> reference(RemoteName name) {
    var guest = relocations.get().here(name.home(), name.number());
    if (guest != null) {
      var known = ActiveType.of(classes.find(name.type(), null));
      return new Reference<>(node, known, new Reference.Target.Here(guest), null);
    }
    var isHere = name.home().equals(node.id());
    if (name.place() != null && !isHere) {
      var object = new ObjectIdentity(name.home(), name.address(), name.number());
      relocations.get().learn(object, name.place(), name.placeAddress(), name.access());
    }
    if (name.keepsCalls() && !isHere) {
      var object = new ObjectIdentity(name.home(), name.address(), name.number());
      relocations.get().keepsCalls(object);
    }
    var home = isHere ? null : peers.named(name.home(), name.access(), name.address());
    var type = ActiveType.of(classes.find(name.type(), home == null ? null : home.classes()));
    Reference.Target target;
    if (isHere) {
      var body = name.held() instanceof Body known ? known : node.body(name.number());
      if (body == null) {
        throw new ObjectTerminatedException(
            "%s on node '%s', to which an argument or a result refers, has been terminated"
                .formatted(IndefiniteArticle.before(type.name()), node.name()));
      }
      target = new Reference.Target.Here(body);
    } else {
      target =
          new Reference.Target.Elsewhere(
              Objects.requireNonNull(home),
              name.number(),
              name.bound(),
              name.immediates(),
              name.held() instanceof RemoteObject object ? object : null);
    }
    return new Reference<>(node, type, target, null);
  }

  /** Gives a holder an outcome of its own; never runs user code on this thread. */
  private void settleCopy(ForwardedFuture holder, Outcome<?> outcome) {
    switch (outcome) {
      case Outcome.Success<?>(Object value) when isShareable(value) ->
          holder.settle(new Outcome.Success<>(value));
      case Outcome.Success<?>(Object value) ->
          Thread.startVirtualThread(() -> settleCopy(holder, value));
      case Outcome.Failure<?>(Throwable cause) -> holder.settle(new Outcome.Failure<>(cause));
      case Outcome.Encoded<?> encoded ->
          holder.settle(
              switch (encoded.form()) {
                case Payload payload -> decodedLater(payload);
                case EncodedFailure failure -> failures().outcome(failure, null);
                default -> throw new AssertionError(encoded.form());
              });
    }
  }

  private void settleCopy(ForwardedFuture holder, Object value) {
    try {
      holder.settle(decodedLater(encode(value)));
    } catch (RuntimeException | Error failure) { // otherwise its holder would wait for ever
      holder.settle(new Outcome.Failure<>(failure));
    }
  }
}
