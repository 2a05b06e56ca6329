package org.troupe.activeobjects.internal.marshal;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.troupe.activeobjects.internal.call.CallKind;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ReuseCache;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.Outcome;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.Serializer;
import org.troupe.stubs.Stubs;

/**
 * Encodes what leaves a node as a copy and decodes what arrives as one: arguments, results and the
 * values of futures. What stubs, futures and nodes among them become on their way, and what their
 * tokens stand for here, says the subclass, which knows references and peers.
 */
public abstract class Marshaller implements Substitution {

  /** Far below what a graph, or an array in it, may have. */
  private static final long MOST_SENT_UNLOOKED_AT = 1L << 29;

  private final Serializer serializer;
  private final FailureCodec failures;
  private final Map<CallMethod, CallCodec> argumentCodecs = new ConcurrentHashMap<>();
  private final Map<CallMethod, CallCodec> resultCodecs = new ConcurrentHashMap<>();
  private final Map<Class<?>, Encoded> arraysAlone = new ConcurrentHashMap<>(); // large, by class

  protected Marshaller(ClassAccess classes, String nodeName) {
    this.failures = new FailureCodec(this, nodeName);
    this.serializer =
        Serializer.builder()
            .allow(classes.filter())
            .substitution(this)
            .without(ClassAccess.specialisationsOff())
            .counting(Boolean.getBoolean("troupe.serialization.count"))
            .build();
  }

  /** Makes the object for which a token stands here. */
  protected abstract Object objectFor(Object token);

  /** Encodes and opens failures. */
  public FailureCodec failures() {
    return failures;
  }

  public Serializer serializer() {
    return serializer;
  }

  /** Says whether a value can be given to others as it is. */
  public boolean isShareable(Object value) {
    return Serializer.isImmutable(value)
        || value instanceof PassedByName
        || Stubs.handlerOf(value) instanceof PassedByName;
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

  Outcome<Object> decoded(Payload payload) {
    return decoded(() -> payload.decode(this));
  }

  private static Outcome<Object> decoded(Supplier<Object[]> decoding) {
    try {
      return new Outcome.Success<>(decoding.get()[0]);
    } catch (RuntimeException | LinkageError | StackOverflowError failure) {
      return new Outcome.Failure<>(failure);
    }
  }
}
