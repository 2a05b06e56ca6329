package org.troupe.activeobjects.internal.body;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/**
 * The log of one object: its requests, and their inputs from outside the object. Called by the
 * thread that serves the object.
 *
 * <p>A request is logged before it is served. A method returns when the log is as stable as the
 * next step requires. While the object is made again, its requests are served from the log, and the
 * same methods return what happened first.
 */
public interface CallLog {

  /** Says that the object has stopped, since its log or its replay has failed. */
  final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates the error with its complete message. */
    public StoppedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** One call that the request makes of another object. */
  interface Call {

    /** Returns the name of the call. */
    CallName name();

    /**
     * Records the content of a call that is about to be sent, for it may have to be sent again.
     *
     * @param parts returns the reference to the called object, and copies of the arguments
     */
    void sends(Supplier<Object[]> parts);

    /**
     * Records that the call could not be sent.
     *
     * @throws StoppedException if that may have no other cause than that the node of the calling
     *     object has left its grid, or that the grid ends
     */
    void isNotSent(RuntimeException failure);

    /** Returns whether the call was not sent before. */
    boolean isToSend();

    /**
     * Records the result of a call that is about to be sent.
     *
     * @param isWaited whether the request waits for it at once
     */
    void sent(FutureResult<Object> result, boolean isWaited);

    /** Waits for the end of the call, and logs it. */
    Outcome<Object> await() throws InterruptedException;

    /**
     * Logs that the request has ended the call itself.
     *
     * @return how the call has ended for the object
     */
    Outcome<Object> endedHere(Outcome<Object> outcome);

    /** Returns a result for the object, which arrives when the end of the call is logged. */
    FutureResult<Object> result();
  }

  /**
   * A call that was sent, and that its object may lack.
   *
   * @param method the symbol of the method
   * @param parts the reference to the called object, and copies of the arguments
   * @param receiver receives the answer; {@code null} if none is awaited
   */
  record Untaken(
      CallName name, String method, Object[] parts, @Nullable FutureResult<Object> receiver) {}

  /**
   * Handles the turn of a request.
   *
   * @return whether it is to be served now: it has not been served before, and is not behind one
   *     that has not arrived yet
   */
  boolean arrived(CallRequest request);

  /**
   * Logs a request, which is served next.
   *
   * @throws RuntimeException if the arguments cannot be logged; the request must not be served
   */
  void begin(CallRequest request, Object[] arguments);

  /** Logs that a request is answered with a failure, without being served. */
  void refused(CallRequest request, Throwable failure);

  /**
   * Returns a request whose turn had come before that of an earlier one, and is next now; {@code
   * null} if there is none.
   */
  @Nullable CallRequest released();

  /** Returns whether requests of the log are left, which the object serves before all others. */
  boolean isRestLeft();

  /**
   * Serves the requests of the log that are left.
   *
   * @throws Throwable the exception of the request by which the object has failed
   */
  void serveRest(Object object) throws Throwable;

  /**
   * Returns whether the node of the object has left the grid in which it was created, or knows that
   * the grid ends.
   */
  boolean isCutOff();

  /** Returns whether the node of the object knows that the grid ends. */
  boolean endsWithGrid();

  /**
   * Handles the news that an object will not need calls of this one in a range again.
   *
   * @param first the number of the first one; 0 for all up to the last
   */
  void taken(ObjectIdentity object, long first, long last);

  /** Returns the objects that may lack calls of this one. Called by any thread. */
  List<ObjectIdentity> lacking();

  /** Returns the calls to an object that it may lack, in order. Called by any thread. */
  List<Untaken> untaken(ObjectIdentity object);

  /** Waits until output may leave the node; called by any thread. */
  void awaitRelease();

  /** Returns whether the object has been terminated, and others may learn of that. */
  boolean isEnding();

  /**
   * Handles the news that a caller needs no answers of this object up to a number; if it is a
   * logged object, it has ended, and that is the number of its last call.
   */
  void settled(CallOrigin origin, long upTo);

  /**
   * Takes over a request in whose service the log has failed. It is answered when the object was
   * made again, or has ended.
   */
  void interrupted(CallRequest request, Object[] arguments);

  /** Takes over the notification of the start, as {@link #interrupted} does a request. */
  void interruptedStart();

  /** Logs that the object is about to be notified of its start, as if by a request. */
  void beginStart();

  /** Logs that the notification of the start has ended. */
  void startReturned();

  /**
   * Logs the end of the request.
   *
   * @return whether the caller of this gives the answer; otherwise the log does, when it may leave
   */
  boolean returned(CallRequest request, @Nullable Object value);

  /**
   * Checks that the request may end with an exception.
   *
   * @throws StoppedException if the object has stopped, whose code has replaced the exception that
   *     said so, or has failed where that may come from the end of its grid
   */
  void checkEnd(Throwable thrown);

  /**
   * Logs the end of the request by an exception.
   *
   * @param hasFailed whether the object has failed with it, so that the request is not served again
   */
  void threw(Throwable failure, boolean hasFailed);

  /**
   * Accounts for a call of the request.
   *
   * @param isAwaited whether the call has an answer
   * @param copying copies the call, as {@link Call#sends} gets it, for another process may send it
   *     again under its name; {@code null} if none will
   */
  Call called(
      ObjectIdentity target,
      CallMethod method,
      Object[] arguments,
      boolean isAwaited,
      @Nullable Supplier<Supplier<Object[]>> copying);

  /** Returns a value that is obtained once, and is the same when the request is served again. */
  <T extends @Nullable Object> T once(Supplier<T> effect);

  /**
   * Returns a value that is obtained once, by an effect that gets a key.
   *
   * @param effect gets the same key whenever the request is served again
   */
  <T extends @Nullable Object> T onceByKey(Function<String, T> effect);
}
