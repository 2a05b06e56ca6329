package org.troupe.activeobjects.collective;

import java.lang.reflect.Method;
import java.util.List;
import org.troupe.activeobjects.Ref;
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
    Collectives.current().postEach(java.util.Collections.nCopies(objects.size(), this), objects);
  }

  /**
   * Makes the call.
   *
   * @param valueWanted whether values are of interest, or only that the call was served
   * @return a result for each object, in their order
   */
  default List<FutureResult<Object>> ask(List<? extends Ref<?>> objects, boolean valueWanted) {
    return Collectives.current()
        .askEach(java.util.Collections.nCopies(objects.size(), this), objects, valueWanted);
  }
}
