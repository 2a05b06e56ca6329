package org.troupe.activeobjects;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A reference to an active object, for explicitly asynchronous calls. May be shared between threads
 * and may travel to other nodes. Two references are equal, and have equal hashes, if they refer to
 * the same object, whichever node they or the object are on.
 *
 * <p>A thread that waits in a call on the {@linkplain #stub stub}, or at the first use of its
 * transparent result, can be interrupted. A method that declares {@link InterruptedException}
 * throws it; any other throws a {@link org.troupe.futures.WaitInterruptedException}, and the thread
 * stays marked as interrupted. The interrupted call is cancelled, as by {@code cancel}; a
 * transparent result is not, and may be used later.
 *
 * @param <T> the class or interface by which the object is called
 */
public interface Ref<T> {

  /** Returns the object's stub, which is called like the object itself. */
  T stub();

  /** Returns the class or interface by which the object is called. */
  Class<T> type();

  /** Returns the node that the object lives on, as far as this JVM knows. */
  NodeId node();

  /**
   * Sends the call that the lambda makes and returns at once, for any type of result.
   *
   * @param call runs once, here, on a recording stub; must make exactly one call and return its
   *     result: {@code ref.ask(Solver::energy)}, {@code ref.ask(s -> s.probe(x, y))}
   * @return a future of the result, or of the exception that the method throws. Its {@code cancel}
   *     removes a request that still waits in the object's queue. A request in service runs to its
   *     end, also after {@code cancel(true)}, as its thread is not interrupted
   * @throws IllegalArgumentException if the lambda does anything else
   */
  <R> CompletableFuture<R> ask(Asked<? super T, R> call);

  /**
   * Sends the call that the lambda makes and returns at once.
   *
   * @param call runs once, here, on a recording stub; must make exactly one call: {@code ref.tell(s
   *     -> s.step(dt))}
   * @return a future that completes when the call has been served; joining it is a fence for all
   *     earlier calls of this thread
   * @throws IllegalArgumentException if the lambda does anything else
   */
  CompletableFuture<Void> tell(Told<? super T> call);

  /**
   * Returns a reference to the same object whose calls fail with a {@link CallTimeoutException} if
   * the reply takes longer. {@code Duration.ofSeconds(Long.MAX_VALUE)} removes the limit, including
   * that of {@code troupe.callTimeout}.
   *
   * @throws IllegalArgumentException if the time is not positive
   */
  Ref<T> within(Duration timeout);

  /**
   * Moves the object to another node of its grid, after the request that it serves; waiting
   * requests move along. References, futures and the order of calls stay as they are.
   *
   * {@snippet file="org/troupe/activeobjects/snippets/LastingSnippets.java" region="move"}
   *
   * @return a future that completes when the object has arrived. It fails with a {@link
   *     MoveException} if the object stays where it is. Stages such as {@code handle} get that
   *     exception itself, wherever the object is; {@code join} wraps it in a {@link
   *     java.util.concurrent.CompletionException}, as always
   */
  CompletableFuture<Void> move(NodeId destination);

  /**
   * Moves the object to another node as {@link #move(NodeId)} does.
   *
   * @param patience how long to wait for a moment at which no request and no stage of the object
   *     runs or is awaited, and then for its {@link LifeCycle#leaving}, for which it has a second
   *     at least
   */
  CompletableFuture<Void> move(NodeId destination, Duration patience);

  /**
   * Stores an image of a {@linkplain Keep kept} object, after the request that it serves. A request
   * of the object itself can ask for one, but a wait for it there throws a {@link
   * WaitCycleException}.
   *
   * @return a future that completes when the image is stable in its store. It fails, and the former
   *     image stays, if the object is not kept, if it does not reach the end of a request and its
   *     stages within 10 s, if it cannot be encoded, or if the store fails
   */
  CompletableFuture<Void> checkpoint();

  /**
   * Ends the object after it has served all requests sent before.
   *
   * @return the {@link #end}
   */
  CompletableFuture<End> terminate();

  /**
   * Ends the object after the request in service; waiting requests are refused.
   *
   * @return the {@link #end}
   */
  CompletableFuture<End> terminateNow();

  /**
   * Returns a future that completes when the object ends for any reason; never waits. It completes
   * for every caller, on any node, also long after the object has ended, and also if its node is
   * lost. A {@linkplain Restart restart} is no end. The future does not keep an object of another
   * node from being collected.
   */
  CompletableFuture<End> end();

  /**
   * Links this object and another, in both directions: if one fails or is lost, the other is ended
   * after the request that it serves, with the same reason. A {@linkplain #terminate termination}
   * does not affect the other. Ends spread along further links. An object that is already gone acts
   * as if it ended now.
   *
   * @return a future that completes when the link holds in both directions
   * @throws IllegalArgumentException if the argument is no reference of the middleware
   */
  CompletableFuture<Void> linkTo(Ref<?> other);

  /**
   * A call with a result.
   *
   * @param <T> the type called
   * @param <R> the type of the result
   */
  @FunctionalInterface
  interface Asked<T, R> {

    /** Makes one call on the target and returns its result. */
    R on(T target) throws Exception;
  }

  /**
   * A call whose result, if any, is ignored.
   *
   * @param <T> the type called
   */
  @FunctionalInterface
  interface Told<T> {

    /** Makes one call on the target. */
    void on(T target) throws Exception;
  }
}
