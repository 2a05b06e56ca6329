package org.troupe.activeobjects.internal;

import java.lang.reflect.Array;
import java.util.concurrent.ThreadLocalRandom;
import org.troupe.activeobjects.Ref;
import org.troupe.stubs.CallHandler;
import org.troupe.stubs.Stubs;

/** Finds out which call a lambda makes, by running it once on a stub that only takes note. */
final class Recorder implements CallHandler {

  /** The call that a lambda makes. */
  record Recorded(CallMethod method, Object[] arguments) {}

  private final ActiveType<?> type;
  private CallMethod method;
  private Object[] arguments;
  private Object sentinel;

  private Recorder(ActiveType<?> type) {
    this.type = type;
  }

  /**
   * Runs the lambda.
   *
   * @param resultMatters whether the lambda must return the call's own result
   * @throws IllegalArgumentException if it does anything but one call
   */
  static <T> Recorded record(
      ActiveType<T> type, Ref.Asked<? super T, ?> lambda, boolean resultMatters) {
    var recorder = new Recorder(type);
    var stub = Stubs.define(type.type()).newStub(recorder);
    Object returned;
    try {
      returned = lambda.on(stub);
    } catch (IllegalArgumentException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new IllegalArgumentException(
          recorder.complaint("threw " + failure + " instead of making a call"), failure);
    }
    if (recorder.method == null) {
      throw new IllegalArgumentException(
          recorder.complaint("made no call on the object it was given"));
    }
    if (resultMatters && !recorder.isSentinel(returned)) {
      throw new IllegalArgumentException(
          recorder.complaint(
              "returned something else than the result of "
                  + recorder.method
                  + "; apply what follows to the future: ask(...).thenApply(...)"));
    }
    return new Recorded(recorder.method, recorder.arguments);
  }

  @Override
  public Object call(int index, Object[] arguments) {
    if (method != null) {
      throw new IllegalArgumentException(
          complaint("called " + type.method(index) + " after " + method + "; use two asks"));
    }
    method = type.method(index);
    if (method.kind() == CallKind.LOCAL) {
      throw new IllegalArgumentException(
          complaint("called " + method + ", which is answered by the stub and never sent"));
    }
    this.arguments = arguments;
    sentinel = sentinelFor(method.resultType());
    return sentinel;
  }

  private String complaint(String what) {
    return "the lambda given to ask or tell of a "
        + type.name()
        + " "
        + what
        + "; it must make exactly one call and return its result, as in ask(x -> x.method(a, b))";
  }

  /** A value that a lambda can hardly return without having it from the call. */
  private static Object sentinelFor(Class<?> result) {
    var random = ThreadLocalRandom.current();
    if (!result.isPrimitive()) {
      if (result == String.class) {
        return new String("a result that is not here");
      }
      return result.isArray() ? Array.newInstance(result.componentType(), 0) : null;
    }
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

  private boolean isSentinel(Object returned) {
    return method.resultType().isPrimitive()
        ? returned == null ? sentinel == null : returned.equals(sentinel)
        : returned == sentinel;
  }
}
