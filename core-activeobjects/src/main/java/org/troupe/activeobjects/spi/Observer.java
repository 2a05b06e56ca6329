package org.troupe.activeobjects.spi;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;

/**
 * Observes the calls of this JVM and the requests that it serves, for example to trace them. Found
 * by {@link java.util.ServiceLoader} when the first node of the JVM starts; a JVM has at most one.
 *
 * <p>Calls of the middleware are left out. Methods are called by many threads at a time, on the
 * path of each call: they must be short and must not block. An observer that throws is not called
 * again, and the log says so; the call is made as if there were no observer.
 */
public interface Observer {

  /** The longest context of a call, in bytes; a longer one is not sent. */
  int LONGEST_CONTEXT = 1024;

  /** The members of a group whose services get the context of a group call, the first ones. */
  int MOST_MEMBERS = 32;

  /**
   * Called on the thread of a caller, before a call is sent.
   *
   * @return what observes the call, or {@code null}
   */
  @Nullable CallObservation called(Call call);

  /**
   * Called on the serving thread, before the method of a request runs.
   *
   * @return what observes the service, which ends on the same thread, or {@code null}
   */
  @Nullable Observation serves(Service service);

  /**
   * Called on the thread of a member that begins its part in a collective operation.
   *
   * @return what observes the operation, which ends on the same thread, or {@code null}
   */
  @Nullable Observation takesPart(Collective collective);

  /** Called on a thread that has waited by necessity, for longer than a millisecond. */
  void waited(Wait wait);

  /** Called on any thread when a failure is recorded that no caller observes. */
  void failed(UnobservedFailure failure);

  /**
   * Returns a function that lets work run, later and on another thread, in the context that the
   * current thread has now.
   */
  UnaryOperator<Runnable> captured();

  /** Observes one call, service or collective operation. */
  interface Observation {

    /**
     * Called once, when it has ended.
     *
     * @param failure how it failed, or {@code null}
     */
    void ended(@Nullable Failure failure);
  }

  /** Observes one call. It ends with the answer; a one-way call ends when it has been sent. */
  interface CallObservation extends Observation {

    /**
     * Returns the context that travels with the call.
     *
     * @return at most {@link #LONGEST_CONTEXT} bytes, which are not changed any more; empty: the
     *     call is not traced, and no service that it causes is to begin a trace
     */
    byte[] context();
  }

  /** The end of a call or service by a failure. */
  record Failure(String type, String message) {}

  /** A call that is about to be sent. */
  interface Call {

    /** Returns the type through which the object is called. */
    Class<?> type();

    Method method();

    boolean isOneWay();

    /** Returns the number of called objects; negative if the call is not one of a group. */
    int members();

    /** Returns the name of the node of the object, or of the first member. */
    String nodeName();

    /** Returns that node, if it is a member of the grid of this node. */
    Optional<Node> node();

    /** Returns the driver of the link to that node; empty within this JVM or if not known. */
    String driver();
  }

  /** A request that is about to be served. */
  interface Service {

    /** Returns the class of the object. */
    Class<?> type();

    Method method();

    boolean isOneWay();

    /**
     * Returns the context of the call; empty: the call is not traced; {@code null}: its sender has
     * no observer.
     */
    byte @Nullable [] context();

    /** Returns the name of the node of the object. */
    String nodeName();

    /** Returns the name of the node that made the call. */
    String callerNodeName();

    /** Returns a number that identifies the object on its node. */
    long number();
  }

  /**
   * A member's part in a collective operation.
   *
   * @param operation such as {@code allReduce}
   * @param rank the rank of the member
   * @param members the number of members
   */
  record Collective(String operation, int rank, int members) {}

  /**
   * A wait that has ended.
   *
   * @param reason what was awaited
   * @param context the context of the call whose result was awaited, or {@code null}
   * @param nanos how long
   */
  record Wait(String reason, byte @Nullable [] context, long nanos) {}

  /**
   * A failure that no caller observes.
   *
   * @param kind such as {@code unclaimed}
   * @param call the call, or another operation that failed
   */
  record UnobservedFailure(String kind, String call, Failure failure) {}
}
