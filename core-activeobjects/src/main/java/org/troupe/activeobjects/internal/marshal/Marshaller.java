package org.troupe.activeobjects.internal.marshal;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallKind;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ReuseCache;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.membership.LiveNodes;
import org.troupe.activeobjects.internal.membership.MemberNode;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.internal.object.FailureReporter;
import org.troupe.activeobjects.internal.object.ForwardedFuture;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.ReplyTo;
import org.troupe.activeobjects.internal.object.ReportedResult;
import org.troupe.activeobjects.internal.object.ServiceContext;
import org.troupe.activeobjects.internal.peer.MessageCodec;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.Serializer;
import org.troupe.stubs.Stubs;

/**
 * What leaves one node as a copy, and what arrives as one: arguments, results and the values of
 * futures; stubs and futures among them travel as references.
 */
public final class Marshaller implements Substitution {

  /** Far below what a graph, or an array in it, may have. */
  private static final long MOST_SENT_UNLOOKED_AT = 1L << 29;

  private final NodeRuntime node;
  private final ClassAccess classes;
  private final Serializer serializer;
  private final Map<CallMethod, CallCodec> argumentCodecs = new ConcurrentHashMap<>();
  private final Map<CallMethod, CallCodec> resultCodecs = new ConcurrentHashMap<>();
  private final Map<Class<?>, Encoded> arraysAlone = new ConcurrentHashMap<>(); // large, by class

  public Marshaller(NodeRuntime node, ClassAccess classes) {
    this.node = node;
    this.classes = classes;
    this.serializer =
        Serializer.builder()
            .allow(classes.filter())
            .substitution(this)
            .without(ClassAccess.specialisationsOff())
            .counting(Boolean.getBoolean("troupe.serialization.count"))
            .build();
  }

  public Serializer serializer() {
    return serializer;
  }

  /** Says whether a value can be given to others as it is. */
  public boolean isShareable(Object value) {
    return Serializer.isImmutable(value) || isPlace(value) || Reference.behind(value) != null;
  }

  /** Says whether a value is a node, or a live set of nodes: these travel as what they name. */
  private static boolean isPlace(Object value) {
    return value instanceof MemberNode || value instanceof LiveNodes.View;
  }

  /** Says whether all values can. */
  public boolean allShareable(Object[] values) {
    for (var value : values) {
      if (!isShareable(value)) {
        return false;
      }
    }
    return true;
  }

  public Payload encode(Object... values) {
    var encoded =
        serializer.encodeBorrowing(values).withArraysCopied(); // one copy, by whole arrays
    return new Payload(encoded, serializer.ownTypes(), null);
  }

  /** The arguments of a call. */
  public Payload encodeArguments(CallMethod method, Object[] arguments) {
    var codec = argumentCodec(method);
    if (codec == null) {
      return encode(arguments);
    }
    var encoded = codec.encodeBorrowing(arguments).withArraysCopied();
    return new Payload(encoded, serializer.ownTypes(), codec);
  }

  /** The same with the arguments' own large arrays, as {@link #borrow}. */
  public Payload borrowArguments(CallMethod method, Object[] arguments) {
    var codec = argumentCodec(method);
    if (codec == null) {
      return borrow(arguments);
    }
    return new Payload(codec.encodeBorrowing(arguments), serializer.ownTypes(), codec);
  }

  /** The result of a call. */
  public Payload encodeResult(CallMethod method, Object value) {
    var codec = resultCodec(method);
    if (codec == null) {
      return encode(value);
    }
    var encoded = codec.encodeBorrowing(value).withArraysCopied();
    return new Payload(encoded, serializer.ownTypes(), codec);
  }

  /**
   * The codec of a method's arguments; {@code null} if they are not of its declared types alone.
   */
  public CallCodec argumentCodec(CallMethod method) {
    if (method.isOnward()) {
      return null;
    }
    var known = argumentCodecs.get(method);
    return known != null
        ? known
        : argumentCodecs.computeIfAbsent(
            method, each -> serializer.callCodec(each.method().method()));
  }

  /** The codec of a method's result; {@code null} if what travels is not of its declared type. */
  public CallCodec resultCodec(CallMethod method) {
    if (method.kind() == CallKind.COMPLETABLE) {
      return null;
    }
    var known = resultCodecs.get(method);
    return known != null
        ? known
        : resultCodecs.computeIfAbsent(
            method, each -> serializer.resultCodec(each.method().method()));
  }

  /**
   * The same with the values' own large arrays: for senders that wait until they have arrived, and
   * to be decoded before they can change.
   */
  public Payload borrow(Object... values) {
    return new Payload(serializer.encodeBorrowing(values), serializer.ownTypes(), null);
  }

  /** The same for a large slice of an array of numbers: for senders only, not to be decoded. */
  public Payload borrow(Frame.Slice slice) {
    var alone =
        arraysAlone.computeIfAbsent(
            slice.array().getClass(),
            type ->
                serializer.encodeBorrowing(
                    Array.newInstance(type.componentType(), Encoded.APART_BYTES)));
    if (alone.arrays().isEmpty() || slice.bytes() > MOST_SENT_UNLOOKED_AT) {
      return borrow(
          slice.copy()); // by java.io, in the bytes; or perhaps too large, which is said there
    }
    var values = new Encoded(alone.bytes(), alone.typeIds(), alone.side(), List.of(slice));
    return new Payload(values, serializer.ownTypes(), null);
  }

  @Override
  public Object tokenFor(Object value) {
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
      return new FutureToken(resultOf(explicit), null);
    }
    if (Stubs.handlerOf(value) instanceof CompositeStub composite) {
      var parts = composite.parts().stream().map(this::tokenFor).toList();
      return new CompositeToken(Stubs.typeOf(value).getName(), parts, null);
    }
    if (isPlace(value)) {
      return value;
    }
    var body = ServiceContext.currentBody();
    return body != null && body.target() == value ? Reference.to(body) : null;
  }

  /** A body is known to be itself, however deep inside a graph it is found. */
  @Override
  public Runnable carried(Runnable part) {
    return ServiceContext.carried(part);
  }

  /**
   * Stubs are of ordinary classes of ours, so of the platform's objects only futures travel apart.
   */
  @Override
  public boolean concerns(Class<?> type) {
    if (type.isRecord() || type.isEnum() || type.isArray()) {
      return false;
    }
    var loader = type.getClassLoader();
    var isOfPlatform = loader == null || loader == ClassLoader.getPlatformClassLoader();
    return !isOfPlatform || CompletableFuture.class.isAssignableFrom(type);
  }

  /**
   * A future whose value has been used travels as that value is now: the sender may have changed
   * it.
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

  /** Makes the object for which a token stands here. */
  Object objectFor(Object token) {
    return switch (token) {
      case Reference<?> reference -> reference.stub();
      case MessageCodec.RemoteName name -> reference(name).stub();
      case ExplicitReference(Reference<?> reference) -> reference;
      case MessageCodec.ExplicitName(MessageCodec.RemoteName name) -> reference(name);
      case FutureToken(FutureResult<?> result, String type) -> {
        var holder = new ForwardedFuture(node, result);
        result.claim();
        result.onSettled(outcome -> settleCopy(holder, outcome));
        yield type == null
            ? holder.asCompletableFuture()
            : holder.asTransparent(
                classes.find(type, result instanceof ForwardedFuture owed ? owed.origin : null));
      }
      case CompositeToken composite -> composite.stub(this);
      case MemberNode node -> node;
      case LiveNodes.View nodes -> nodes;
      default -> throw new AssertionError(token);
    };
  }

  /** The class that a stub stands for, which came from a node, or {@code null} for this one. */
  Class<?> type(String name, Peer origin) {
    return classes.find(name, origin);
  }

  /** A reference that is not behind a stub, and is to arrive as one. */
  public record ExplicitReference(Reference<?> reference) {}

  private Reference<?> reference(MessageCodec.RemoteName name) {
    var isHere = name.home().equals(node.id());
    var home = isHere ? null : node.namedPeer(name.home(), name.access(), name.address());
    var type = ActiveType.of(classes.find(name.type(), home));
    Reference.Target target;
    if (isHere) {
      var body = node.body(name.number());
      if (body == null) {
        throw new ObjectTerminatedException(
            "a %s on node '%s', to which an argument or a result refers, has been terminated"
                .formatted(type.name(), node.name()));
      }
      target = new Reference.Target.Here(body);
    } else {
      target = new Reference.Target.Elsewhere(home, name.number(), name.bound(), name.immediates());
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
                case FailureReporter.Form form -> node.failures().outcome(form, null);
                default -> throw new AssertionError(encoded.form());
              });
    }
  }

  private void settleCopy(ForwardedFuture holder, Object value) {
    try {
      holder.settle(decodedLater(encode(value)));
    } catch (RuntimeException | Error failure) { // or who holds it would wait for ever
      holder.settle(new Outcome.Failure<>(failure));
    }
  }

  /** The value in a payload, or why it cannot be had; decoded on the thread that uses it. */
  public Outcome<Object> decodedLater(Payload payload) {
    return new Outcome.Encoded<>(payload, () -> decoded(payload));
  }

  /** The same for a result that nobody but the waiting caller ever sees. */
  public Outcome<Object> decodedOnce(Payload payload) {
    return new Outcome.Encoded<>(payload, () -> decoded(() -> payload.decodeLast(this)));
  }

  /** The same, read into what the call before has left. */
  public Outcome<Object> decodedOnce(Payload payload, CallMethod method, ReuseCache leftovers) {
    return new Outcome.Encoded<>(
        payload,
        () -> {
          var previous = leftovers.take(method);
          var outcome = decoded(() -> payload.decodeLast(this, previous));
          leftovers.giveBack(method, previous);
          return outcome;
        });
  }

  private Outcome<Object> decoded(Payload payload) {
    return decoded(() -> payload.decode(this));
  }

  private static Outcome<Object> decoded(Supplier<Object[]> decoding) {
    try {
      return new Outcome.Success<>(decoding.get()[0]);
    } catch (RuntimeException | LinkageError | StackOverflowError failure) {
      return new Outcome.Failure<>(failure);
    }
  }

  /**
   * An outcome whose value nobody else has; runs user code.
   *
   * @param future whose outcome it is: the line of its call is in the trace of a failure
   */
  public Outcome<?> fresh(Outcome<?> outcome, FutureResult<?> future) {
    if (outcome instanceof Outcome.Encoded<?> encoded) {
      var site = future instanceof ReportedResult<?> watched ? watched.site() : null;
      return switch (encoded.form()) {
        case Payload payload -> decoded(payload);
        case FailureReporter.Form form -> new Outcome.Failure<>(node.failures().opened(form, site));
        default -> throw new AssertionError(encoded.form());
      };
    }
    return outcome;
  }

  /**
   * Answers a call with what its method returned. The value of a future is the answer, whenever it
   * comes, and no body waits for it. The value of a completable future may be another one, which is
   * an answer like any object.
   */
  public void answer(Object value, ReplyTo replyTo) {
    if (value instanceof CompletableFuture<?> explicit) {
      answerWith(resultOf(explicit), replyTo);
    } else {
      answerWith(value, replyTo);
    }
  }

  /** Answers a call with a value, which a transparent future has, too. */
  private void answerWith(Object value, ReplyTo replyTo) {
    if (!(value instanceof CompletableFuture<?>)
        && Futures.resultOf(value) instanceof FutureResult<?> transparent) {
      answerWith(transparent, replyTo);
    } else {
      replyTo.returned(value);
    }
  }

  private void answerWith(FutureResult<?> future, ReplyTo replyTo) {
    if (!future.isAwaited()) {
      answer(future.await(), replyTo);
      return;
    }
    future.claim();
    replyTo.delegated(future);
    future.onSettled(outcome -> Thread.startVirtualThread(() -> relay(outcome, future, replyTo)));
  }

  private void relay(Outcome<?> outcome, FutureResult<?> future, ReplyTo replyTo) {
    try {
      answer(fresh(outcome, future), replyTo);
    } catch (Error failure) {
      replyTo.threw(failure); // such as a value too deep to be encoded
    }
  }

  private void answer(Outcome<?> outcome, ReplyTo replyTo) {
    switch (outcome) {
      case Outcome.Success<?>(Object value) -> answerWith(value, replyTo);
      case Outcome.Failure<?>(Throwable cause) -> replyTo.threw(cause);
      case Outcome.Encoded<?> encoded -> throw new AssertionError(encoded);
    }
  }

  /** The result that a completable future stands for, whoever made it. */
  FutureResult<?> resultOf(CompletableFuture<?> explicit) {
    var known = Futures.resultOf(explicit);
    if (known != null) {
      return known;
    }
    var body = ServiceContext.currentBody();
    var result = new FutureResult<Object>(node);
    explicit.whenCompleteAsync(
        (value, failure) ->
            result.settle(
                failure == null
                    ? copyOf(value, body)
                    : new Outcome.Failure<>(
                        failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure)),
        Runnable::run);
    return result;
  }

  /** Copies a value on the thread that completed the future with it: it may change later. */
  private Outcome<Object> copyOf(Object value, Body body) {
    if (isShareable(value)) {
      return new Outcome.Success<>(value);
    }
    var own = body == null || body == ServiceContext.currentBody() ? null : body;
    var context = own == null ? null : new ServiceContext(own, ServicePolicy.AT_ONCE).enter();
    try {
      return decodedLater(encode(value));
    } catch (RuntimeException | Error failure) { // or those who were given it would wait for ever
      return new Outcome.Failure<>(failure);
    } finally {
      if (context != null) {
        context.leave();
      }
    }
  }
}
