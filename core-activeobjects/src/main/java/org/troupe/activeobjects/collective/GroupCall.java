package org.troupe.activeobjects.collective;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.IntConsumer;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.collective.CausalMulticast;
import org.troupe.futures.FutureResult;

/**
 * One call, made on many active objects: what typed groups are made of. The arguments are encoded
 * once, and travel once to each JVM, however many of the objects live there.
 *
 * <p>Each object gets the call in the order of all calls of this JVM to it. Besides, what any of
 * the objects sends to another one of them while it serves the call arrives there behind the call.
 *
 * <p>Immutable, but for the arguments, which are encoded when the call is made; may be shared
 * between threads.
 */
public interface GroupCall {

  /**
   * Finds out which call a lambda makes.
   *
   * @param type the class or interface by which the objects are called
   * @param resultMatters whether the lambda must return the call's own result
   * @throws IllegalArgumentException if it does anything but one call
   */
  static <T> GroupCall recorded(
      Class<T> type, Ref.Asked<? super T, ?> call, boolean resultMatters) {
    return CausalMulticast.recorded(type, call, resultMatters);
  }

  /**
   * The call of a method of a stub.
   *
   * @param index the method's place in the stub of the type, as a call handler is given it
   */
  static GroupCall of(Class<?> type, int index, Object[] arguments) {
    return CausalMulticast.of(type, index, arguments);
  }

  /**
   * A call of no method, which has its turn like any: for what goes {@linkplain #onward onward}.
   */
  static GroupCall nothing() {
    return CausalMulticast.nothing();
  }

  /** Returns the method that is called. */
  Method method();

  /** Returns what such a call on a single stub does. */
  Kind kind();

  /** The rows of the call table. */
  enum Kind {
    /** Returns at once; nothing comes back. */
    ONE_WAY,
    /** Returns a transparent future. */
    TRANSPARENT,
    /** Returns a completable future. */
    COMPLETABLE,
    /** Waits for the answer. */
    WAITING,
    /** Is answered by the stub itself. */
    LOCAL
  }

  /**
   * Makes the call on an ordinary object, as Java would: with these very arguments, on this thread.
   *
   * @return the result: boxed for a primitive, {@code null} for {@code void}
   * @throws Throwable what the method throws, unchanged
   */
  Object invoke(Object target) throws Throwable;

  /**
   * Returns the same call with what becomes of the answers where they are given; what that makes of
   * them comes back.
   */
  GroupCall onward(ReplyInterceptor onward);

  /**
   * Makes the call without wanting an answer. Failures go to the failure handler.
   *
   * @param objects each is called once; none may be called by a type that lacks the method
   */
  default void post(List<? extends Ref<?>> objects) {
    postEach(java.util.Collections.nCopies(objects.size(), this), objects);
  }

  /**
   * Makes the call.
   *
   * @param valueWanted whether values are of interest, or only that the call was served
   * @return a result for each object, in their order
   */
  default List<FutureResult<Object>> ask(List<? extends Ref<?>> objects, boolean valueWanted) {
    return askEach(java.util.Collections.nCopies(objects.size(), this), objects, valueWanted);
  }

  /**
   * Makes calls that are one for what concerns order, though each object gets its own.
   *
   * @param calls as many as objects; where neighbours are the same one, it is encoded once
   */
  static void postEach(List<? extends GroupCall> calls, List<? extends Ref<?>> objects) {
    CausalMulticast.post(calls, objects);
  }

  /** The same with answers. */
  static List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls, List<? extends Ref<?>> objects, boolean valueWanted) {
    return askEach(calls, objects, valueWanted, place -> {});
  }

  /**
   * The same.
   *
   * @param answered gets the place of each object whose answer has come, in the order in which they
   *     come; on the thread that brings it, so it must be short, and run no user code
   */
  static List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      boolean valueWanted,
      IntConsumer answered) {
    return CausalMulticast.ask(calls, objects, valueWanted, answered);
  }
}
