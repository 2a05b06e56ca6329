package org.troupe.activeobjects.collective;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.futures.FutureResult;

/**
 * One call on many active objects, the basis of typed groups. The arguments are encoded once and
 * sent once to each JVM, for all objects that live there.
 *
 * <p>Order is causal. Each object receives the call in the order of all calls of this JVM to it. A
 * message that one of the objects sends to another while it serves the call arrives after the call.
 *
 * <p>Immutable except for the arguments, which are encoded when the call is sent. May be shared
 * between threads.
 */
public interface GroupCall {

  /** Returns the method that is called. */
  Method method();

  /** Returns the kind of this call on a single stub. */
  Kind kind();

  /** The rows of the call table. */
  enum Kind {
    /** Returns at once; there is no reply. */
    ONE_WAY,
    /** Returns a transparent future. */
    TRANSPARENT,
    /** Returns a completable future. */
    COMPLETABLE,
    /** Waits for the reply. */
    WAITING,
    /** Is answered by the stub itself. */
    LOCAL
  }

  /**
   * Invokes the method on an ordinary object, on this thread and with the arguments themselves.
   *
   * @return the result: boxed for a primitive, {@code null} for {@code void}
   * @throws Throwable the exception of the method, unchanged
   */
  @Nullable Object invoke(Object target) throws Throwable;

  /**
   * Returns this call with an interceptor, which runs at each called object and replaces its reply.
   */
  GroupCall onward(ReplyInterceptor onward);

  /**
   * Sends the call as a one-way call. Failures go to the failure handler.
   *
   * @param objects the called objects; the type of each reference must have the method
   */
  default void post(List<? extends Ref<?>> objects) {
    Collectives.current().postEach(java.util.Collections.nCopies(objects.size(), this), objects);
  }

  /**
   * Sends the call and returns its results.
   *
   * @param valueWanted whether values are returned, or only the end of the service
   * @return a result for each object, in their order
   */
  default List<FutureResult<Object>> ask(List<? extends Ref<?>> objects, boolean valueWanted) {
    return Collectives.current()
        .askEach(java.util.Collections.nCopies(objects.size(), this), objects, valueWanted);
  }
}
