package org.troupe.activeobjects.internal.keeping;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.keeping.ImageCodec.LostResultException;
import org.troupe.futures.Outcome;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.stubs.Stubs;

/** Encodes the arguments and outcomes of calls for the log of one object. Thread-safe. */
final class LogContent {

  /*
   * Design: two forms
   *
   * Most arguments and answers are numbers, strings and bytes. They are written with a byte for their type, which is faster
   * and shorter than a stream with definitions. Everything else is a stream as in an image, also arguments with two arrays,
   * which may be the same one.
   *
   * Calls are compared in a replay by their methods and by those arguments that are numbers, strings or enum
   * constants. The encoding of others may differ between equal objects, as that of a set does in different processes.
   */
  private static final byte SIMPLE = 0;
  private static final byte GRAPH = 1;

  private static final byte SUCCESS = 0;
  private static final byte FAILURE = 1;

  private final ImageCodec codec;
  private final MembershipCheck membership;
  private final ClassLoader loader;

  LogContent(ImageCodec codec, MembershipCheck membership, Class<?> type) {
    this.codec = codec;
    this.membership = membership;
    this.loader = type.getClassLoader();
  }

  /**
   * An outcome as it is logged, and as the object gets it.
   *
   * @param seen what the object gets: an outcome that cannot be logged is replaced by a failure
   */
  record Encoded(LoggedOutcome logged, Outcome<Object> seen) {}

  /**
   * The caller and the arguments of a request.
   *
   * @param isOnward whether the answer went to a receiver other than the caller
   */
  record Request(@Nullable Object caller, Object[] arguments, boolean isOnward) {}

  /**
   * Encodes a request. Asks the coordinator if an argument is a result that has failed.
   *
   * @throws SerializationException if its arguments cannot be logged
   * @throws LostResultException if an argument may have failed only because the grid ends
   */
  LoggedCall request(CallMethod method, Object[] arguments, @Nullable Object caller) {
    try {
      return request(method, arguments, caller, false);
    } catch (LostResultException lost) {
      if (membership.isCutOffNow()) {
        throw lost;
      }
      return request(method, arguments, caller, true);
    }
  }

  private LoggedCall request(
      CallMethod method, Object[] arguments, @Nullable Object caller, boolean mayHaveLosses) {
    var out = new ByteOutput();
    var symbol = method.symbol();
    out.writeBoolean(method.isOnward());
    codec.writeCaller(out, caller);
    if (method.isOnward()) { // the last argument receives the answer, which a replay does not give
      write(out, Arrays.copyOf(arguments, arguments.length - 1), mayHaveLosses);
      symbol = symbol.substring(0, symbol.length() - 1);
    } else {
      write(out, arguments, mayHaveLosses);
    }
    return new LoggedCall(symbol, out.toByteArray());
  }

  /** Decodes a request. */
  Request request(LoggedCall call) {
    var in = new ByteInput(call.content());
    var isOnward = in.readBoolean();
    return new Request(codec.readCaller(in), (Object[]) Objects.requireNonNull(read(in)), isOnward);
  }

  /** Encodes an outcome, which may be decoded for that. */
  Encoded outcome(Outcome<Object> outcome) {
    return outcome(outcome, true);
  }

  /**
   * Encodes the outcome of a call or an effect of the object. If it has a result that may have
   * failed only because the grid ends, it is replaced by that failure. Asks the coordinator then.
   */
  Encoded input(Outcome<Object> outcome) {
    try {
      return outcome(outcome, false);
    } catch (LostResultException lost) {
      return membership.isCutOffNow()
          ? outcome(new Outcome.Failure<>(lost.failure()))
          : outcome(outcome);
    }
  }

  private Encoded outcome(Outcome<Object> outcome, boolean mayHaveLosses) {
    var settled = outcome.settled();
    try {
      return new Encoded(encoded(settled, mayHaveLosses), settled);
    } catch (LostResultException lost) {
      throw lost;
    } catch (RuntimeException | Error refused) { // also lack of stack: else a wait would stay open
      Outcome<Object> instead =
          new Outcome.Failure<>(
              switch (settled) {
                case Outcome.Failure<Object>(Throwable cause) ->
                    new RemoteFailure(cause.getClass().getName(), cause.getMessage(), null);
                default ->
                    new SerializationException("the value cannot be logged: " + why(refused));
              });
      return new Encoded(encoded(instead, true), instead);
    }
  }

  private static @Nullable String why(Throwable refused) {
    return refused instanceof SerializationException ? refused.getMessage() : refused.toString();
  }

  private LoggedOutcome encoded(Outcome<Object> outcome, boolean mayHaveLosses) {
    var out = new ByteOutput();
    switch (outcome) {
      case Outcome.Success<Object>(Object value) -> {
        out.writeByte(SUCCESS);
        write(out, value, mayHaveLosses);
      }
      case Outcome.Failure<Object>(Throwable cause) -> {
        out.writeByte(FAILURE);
        write(out, cause, mayHaveLosses);
      }
      case Outcome.Encoded<Object> unopened -> throw new AssertionError(unopened);
    }
    return new LoggedOutcome(out.toByteArray());
  }

  /** Decodes an outcome; each decoding makes a new copy. */
  @SuppressWarnings("NullAway") // the value of a call may be null
  Outcome<Object> outcome(LoggedOutcome logged) {
    var in = new ByteInput(logged.content());
    return in.readByte() == SUCCESS
        ? new Outcome.Success<>(read(in))
        : new Outcome.Failure<>((Throwable) Objects.requireNonNull(read(in)));
  }

  /** Encodes the reference to the target of a call and its arguments. */
  byte[] sent(Object[] parts) {
    var out = new ByteOutput();
    out.writeByte(GRAPH);
    codec.encodeArrived(out, parts);
    return out.toByteArray();
  }

  /** Decodes the result of {@link #sent}: the reference to the target, and the arguments. */
  Object[] sent(LoggedCall call) {
    return (Object[]) Objects.requireNonNull(read(new ByteInput(call.content())));
  }

  private void write(ByteOutput out, @Nullable Object value, boolean mayHaveLosses) {
    if (value instanceof Object[] values && values.getClass() == Object[].class) {
      if (haveShortForm(values)) {
        out.writeByte(SIMPLE);
        out.writeVarInt(values.length + 1);
        for (var each : values) {
          writeSimple(out, each);
        }
        return;
      }
    } else if (isSimple(value) || value instanceof byte[]) {
      out.writeByte(SIMPLE);
      out.writeVarInt(0);
      writeSimple(out, value);
      return;
    }
    out.writeByte(GRAPH);
    codec.encode(out, Objects.requireNonNull(value, "null is simple"), mayHaveLosses);
  }

  private @Nullable Object read(ByteInput in) {
    if (in.readByte() == GRAPH) {
      return codec.decodeValue(in, loader);
    }
    var length = in.readVarInt() - 1;
    if (length < 0) {
      return readSimple(in);
    }
    var values = new Object[length];
    for (var i = 0; i < length; i++) {
      values[i] = readSimple(in);
    }
    return values;
  }

  private static boolean haveShortForm(Object[] values) {
    var hasBytes = false;
    for (var each : values) {
      if (each instanceof byte[] && !hasBytes) {
        hasBytes = true;
      } else if (!isSimple(each)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a value is a number, a string or another immutable one of the platform. */
  static boolean isSimple(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case Integer _, Long _, Double _, Boolean _, String _ -> true;
      case Float _, Short _, Byte _, Character _ -> true;
      default -> false;
    };
  }

  private static void writeSimple(ByteOutput out, @Nullable Object value) {
    switch (value) {
      case null -> out.writeByte('0');
      case Integer i -> {
        out.writeByte('I');
        out.writeInt(i);
      }
      case Long l -> {
        out.writeByte('J');
        out.writeLong(l);
      }
      case Double d -> {
        out.writeByte('D');
        out.writeDouble(d);
      }
      case Boolean b -> {
        out.writeByte('Z');
        out.writeBoolean(b);
      }
      case String s -> {
        out.writeByte('T');
        out.writeString(s);
      }
      case Float f -> {
        out.writeByte('F');
        out.writeFloat(f);
      }
      case Short s -> {
        out.writeByte('S');
        out.writeShort(s);
      }
      case Byte b -> {
        out.writeByte('B');
        out.writeByte(b);
      }
      case Character c -> {
        out.writeByte('C');
        out.writeChar(c);
      }
      case byte[] bytes -> {
        out.writeByte('A');
        out.writeBytes(bytes);
      }
      default -> throw new AssertionError(value);
    }
  }

  private static @Nullable Object readSimple(ByteInput in) {
    var kind = in.readByte();
    return switch (kind) {
      case '0' -> null;
      case 'I' -> in.readInt();
      case 'J' -> in.readLong();
      case 'D' -> in.readDouble();
      case 'Z' -> in.readBoolean();
      case 'T' -> in.readString();
      case 'F' -> in.readFloat();
      case 'S' -> in.readShort();
      case 'B' -> in.readByte();
      case 'C' -> in.readChar();
      case 'A' -> in.readBytes();
      default -> throw new SerializationException("a value of the unknown kind " + kind);
    };
  }

  /** Returns what calls and answers are compared by. */
  static long digest(@Nullable Object value) {
    return switch (value) {
      case null -> 0;
      case Enum<?> constant -> constant.name().hashCode();
      case CompletableFuture<?> _ -> 1;
      case Object simple when isSimple(simple) -> simple.hashCode();
      case Object stub when Stubs.handlerOf(stub) != null -> 1;
      case List<?> _ -> 3; // of another class when it was decoded, like those of Stream.toList()
      case Set<?> _ -> 4;
      case Map<?, ?> _ -> 5;
      case Object other -> other.getClass().isHidden() ? 2 : other.getClass().getName().hashCode();
    };
  }
}
