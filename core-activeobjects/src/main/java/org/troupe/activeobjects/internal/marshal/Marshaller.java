package org.troupe.activeobjects.internal.marshal;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallKind;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ReuseCache;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.Outcome;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.Serializer;
import org.troupe.stubs.Stubs;

/**
 * Encodes values that leave a node and decodes values that arrive: arguments, results and the
 * values of futures. Its subclass, which knows references and peers, replaces stubs, futures and
 * nodes by tokens and resolves tokens to local objects.
 */
public abstract class Marshaller implements Substitution {

  /*
   * Design: three ways to pass a value
   *
   * A value that is shareable (immutable, or passed by name) is handed over as it is. Any other value is
   * encoded, and decoded on the thread that uses it: user code of a class runs neither on a reader of the
   * transport nor under a lock. Large arrays of numbers are not part of the encoded bytes but travel beside
   * them. Encoding copies them ("encode"), except for a sender that waits until the values have arrived
   * ("encodeZeroCopy"); decoding copies them, too, except for the last and only holder of a payload, which takes
   * them over ("decodeLast").
   *
   * Invariant: after "encode", no change of the original affects the payload, and no two
   * decodings share a mutable object. All threads may use a marshaller; its state is a cache of codecs.
   */

  /**
   * The limit above which values are checked for size before they are sent; far below the limit on
   * a graph or an array.
   */
  private static final long MOST_SENT_UNLOOKED_AT = 1L << 29;

  private final Serializer serializer;
  private final FailureCodec failures;
  private final Map<CallMethod, CallCodec> argumentCodecs = new ConcurrentHashMap<>();
  private final Map<CallMethod, CallCodec> resultCodecs = new ConcurrentHashMap<>();
  private final Map<Class<?>, EncodedGraph> arraysAlone =
      new ConcurrentHashMap<>(); // the encoded form of large arrays without a surrounding object,

  // by class

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

  /** Returns the local object for a token. */
  protected abstract @Nullable Object objectFor(@Nullable Object token);

  /** Returns the codec of failures. */
  public FailureCodec failures() {
    return failures;
  }

  public Serializer serializer() {
    return serializer;
  }

  /** Returns whether several holders may share a value without a copy. */
  public boolean isShareable(@Nullable Object value) {
    return value == null
        || Serializer.isImmutable(value)
        || value instanceof PassedByName
        || Stubs.handlerOf(value) instanceof PassedByName;
  }

  /** Returns whether several holders may share all values without copies. */
  public boolean allShareable(@Nullable Object[] values) {
    for (var value : values) {
      if (!isShareable(value)) {
        return false;
      }
    }
    return true;
  }

  public Payload encode(@Nullable Object... values) {
    var encoded =
        serializer.encodeZeroCopy(values).withArraysCopied(); // one copy of each whole array
    return new Payload(encoded, serializer.ownTypes(), null);
  }

  /** Encodes the arguments of a call. */
  public Payload encodeArguments(CallMethod method, Object[] arguments) {
    if (!FlightSwitch.isOn()) {
      return encodeArgumentsNow(method, arguments);
    }
    var span = FlightEvents.coding();
    var payload = encodeArgumentsNow(method, arguments);
    span.ended(typeOfFirst(arguments), false, payload.bytes());
    return payload;
  }

  /** Returns the name of the class of the first value; empty if there is none. */
  static String typeOfFirst(@Nullable Object[] values) {
    var first = values.length == 0 ? null : values[0];
    return first == null ? "" : first.getClass().getName();
  }

  private Payload encodeArgumentsNow(CallMethod method, Object[] arguments) {
    var codec = argumentCodec(method);
    if (codec == null) {
      return encode(arguments);
    }
    var encoded = codec.encodeZeroCopy(arguments).withArraysCopied();
    return new Payload(encoded, serializer.ownTypes(), codec);
  }

  /**
   * Encodes the arguments of a call without copying their large arrays; the rules of {@link
   * #encodeZeroCopy(Object...)} apply.
   */
  public Payload encodeArgumentsZeroCopy(CallMethod method, Object[] arguments) {
    if (!FlightSwitch.isOn()) {
      return encodeArgumentsZeroCopyNow(method, arguments);
    }
    var span = FlightEvents.coding();
    var payload = encodeArgumentsZeroCopyNow(method, arguments);
    span.ended(typeOfFirst(arguments), false, payload.bytes());
    return payload;
  }

  private Payload encodeArgumentsZeroCopyNow(CallMethod method, Object[] arguments) {
    var codec = argumentCodec(method);
    if (codec == null) {
      return encodeZeroCopy(arguments);
    }
    return new Payload(codec.encodeZeroCopy(arguments), serializer.ownTypes(), codec);
  }

  /** Encodes the result of a call. */
  public Payload encodeResult(CallMethod method, @Nullable Object value) {
    if (!FlightSwitch.isOn()) {
      return encodeResultNow(method, value);
    }
    var span = FlightEvents.coding();
    var payload = encodeResultNow(method, value);
    span.ended(value == null ? "" : value.getClass().getName(), false, payload.bytes());
    return payload;
  }

  private Payload encodeResultNow(CallMethod method, @Nullable Object value) {
    var codec = resultCodec(method);
    if (codec == null) {
      return encode(value);
    }
    var encoded = codec.encodeZeroCopy(new Object[] {value}).withArraysCopied();
    return new Payload(encoded, serializer.ownTypes(), codec);
  }

  /**
   * Returns the codec of a method's arguments; {@code null} if its declared types do not determine
   * them.
   */
  public @Nullable CallCodec argumentCodec(CallMethod method) {
    if (method.isOnward()) {
      return null;
    }
    var known = argumentCodecs.get(method);
    return known != null
        ? known
        : argumentCodecs.computeIfAbsent(
            method, each -> serializer.callCodec(each.method().method()));
  }

  /**
   * Returns the codec of a method's result; {@code null} if its declared type does not determine
   * the encoding.
   */
  public @Nullable CallCodec resultCodec(CallMethod method) {
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
   * Encodes values without copying their large arrays: for senders that wait until the values have
   * arrived; the payload must be decoded before the arrays can change.
   */
  public Payload encodeZeroCopy(@Nullable Object... values) {
    return new Payload(serializer.encodeZeroCopy(values), serializer.ownTypes(), null);
  }

  /**
   * Encodes a large slice of an array of numbers without copying it: for sending only, not for
   * decoding.
   */
  public Payload encodeZeroCopy(Frame.Slice slice) {
    var alone =
        arraysAlone.computeIfAbsent(
            slice.array().getClass(),
            type ->
                serializer.encodeZeroCopy(
                    Array.newInstance(type.componentType(), EncodedGraph.APART_BYTES)));
    if (alone.arrays().isEmpty() || slice.bytes() > MOST_SENT_UNLOOKED_AT) {
      return encodeZeroCopy(
          slice.copy()); // encoded in the body by java.io, or too large, which the encoder reports
    }
    var values = new EncodedGraph(alone.bytes(), alone.typeIds(), alone.side(), List.of(slice));
    return new Payload(values, serializer.ownTypes(), null);
  }

  /**
   * Stubs are instances of generated classes, so among the platform's classes only futures need
   * tokens.
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
   * Returns the value in a payload, or the failure to decode it; decoding happens on the thread
   * that uses it.
   */
  public Outcome<Object> decodedLater(Payload payload) {
    return new Outcome.Encoded<>(payload, () -> decoded(payload));
  }

  /**
   * Returns the value in a payload for a single waiting caller; decoding happens on the thread that
   * uses it.
   */
  public Outcome<Object> decodedOnce(Payload payload) {
    return new Outcome.Encoded<>(payload, () -> decoded(() -> payload.decodeLast(this)));
  }

  /**
   * Returns the value in a payload for a single waiting caller, decoded into the objects of an
   * earlier call.
   */
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
