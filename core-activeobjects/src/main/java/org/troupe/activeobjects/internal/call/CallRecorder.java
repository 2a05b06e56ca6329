package org.troupe.activeobjects.internal.call;

import java.lang.reflect.Array;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.stubs.CallHandler;
import org.troupe.stubs.Reifiable;
import org.troupe.stubs.Stubs;

/**
 * Determines which call a lambda makes, by running it once on a stub that only records the call.
 */
public final class CallRecorder implements CallHandler {

  /** The call that a lambda makes. */
  public record Recorded(CallMethod method, Object[] arguments) {}

  private static final String AFTERWARDS =
      ", which is not available yet; apply what follows to the future: ask(...).thenApply(...)";

  private final ActiveType<?> type;
  private @Nullable Recorded recorded;
  private @Nullable Object sentinel;
  private @Nullable IllegalArgumentException refusal;

  private CallRecorder(ActiveType<?> type) {
    this.type = type;
  }

  /**
   * Runs the lambda.
   *
   * @param resultMatters whether the lambda must return the result of the call itself, which is not
   *     checked in lambdas of the middleware
   * @throws IllegalArgumentException if the lambda does anything but make exactly one call
   */
  public static <T> Recorded record(
      ActiveType<T> type, Ref.Asked<? super T, ?> lambda, boolean resultMatters) {
    var recorder = new CallRecorder(type);
    var stub = type.stubs(CallHandler.class).newStub(recorder);
    @Nullable Object returned = null;
    @Nullable Exception thrown = null;
    try {
      returned = lambda.on(stub);
    } catch (Exception failure) {
      thrown = failure;
    }
    if (recorder.refusal != null) {
      throw recorder.refusal; // also if the lambda has caught it
    }
    var recorded = recorder.recorded;
    if (recorded == null) {
      throw recorder.complaint(
          thrown == null
              ? "made no call on the object it was given"
              : "threw " + thrown + " before it made a call",
          thrown);
    }
    if (thrown != null) {
      throw recorder.complaint(
          "threw " + thrown + " after it had called " + recorded.method() + AFTERWARDS, thrown);
    }
    if (resultMatters
        && !type.isMiddleware()
        && !recorder.isSentinel(returned, recorded.method())) {
      throw recorder.complaint(
          "returned something other than the result of " + recorded.method() + AFTERWARDS, null);
    }
    return recorded;
  }

  @Override
  public @Nullable Object call(int index, Object[] arguments) {
    var method = type.method(index);
    if (recorded != null) {
      return refuse("called " + method + " after " + recorded.method() + "; use two asks");
    }
    recorded = new Recorded(method, arguments);
    sentinel = type.isMiddleware() ? unchecked(method) : sentinelFor(method);
    return sentinel;
  }

  private Object refuse(String what) {
    if (refusal == null) {
      refusal = complaint(what, null);
    }
    throw refusal;
  }

  private IllegalArgumentException complaint(String what, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "the lambda given to ask or tell of class "
            + type.name()
            + " "
            + what
            + "; it must make exactly one call and return its result, as in ask(x -> x.method(a, b))",
        cause);
  }

  /** Takes the place of the result if its type can have a stub: the lambda must not use it. */
  private static final class Result implements CallHandler {

    private final CallRecorder recorder;
    private final CallMethod method;

    Result(CallRecorder recorder, CallMethod method) {
      this.recorder = recorder;
      this.method = method;
    }

    @Override
    public Object call(int index, Object[] arguments) {
      return recorder.refuse("used the result of " + method + AFTERWARDS);
    }
  }

  /** Returns a value for a lambda whose result is not checked. */
  private static @Nullable Object unchecked(CallMethod method) {
    var result = method.resultType();
    return result.isPrimitive() && result != void.class
        ? Array.get(Array.newInstance(result, 1), 0)
        : null;
  }

  /** Returns a value that a lambda is very unlikely to return unless the call returned it. */
  private @Nullable Object sentinelFor(CallMethod method) {
    var result = method.resultType();
    if (result == String.class) {
      return new String("a result that is not here");
    }
    if (result.isArray()) {
      return Array.newInstance(result.componentType(), 0);
    }
    if (!result.isPrimitive()) {
      return Reifiable.of(result).isReifiable()
          ? Stubs.define(result).newStub(new Result(this, method))
          : null;
    }
    var random = ThreadLocalRandom.current();
    return switch (result.descriptorString()) {
      case "V" -> null;
      case "Z" -> false;
      case "B" -> (byte) random.nextInt();
      case "S" -> (short) random.nextInt();
      case "C" -> (char) random.nextInt();
      case "I" -> random.nextInt();
      case "J" -> random.nextLong();
      case "F" -> random.nextFloat();
      default -> random.nextDouble();
    };
  }

  private boolean isSentinel(@Nullable Object returned, CallMethod method) {
    return method.resultType().isPrimitive()
        ? Objects.equals(returned, sentinel)
        : returned == sentinel;
  }
}
