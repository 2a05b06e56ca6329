package org.troupe.activeobjects;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A reference to an active object, for those who want asynchrony visible. May be shared between
 * threads, and may travel to other nodes; equal if it refers to the same object.
 *
 * <p>A thread that waits in a call on the {@linkplain #stub stub}, or at the first use of its
 * transparent result, can be interrupted. A method that declares {@link InterruptedException}
 * throws it; any other throws a {@link org.troupe.futures.WaitInterruptedException}, and the thread
 * stays marked as interrupted. The result of a call that waits is given up, as by {@code cancel}; a
 * transparent result stays on its way.
 *
 * @param <T> the class or interface by which the object is called
 */
public interface Ref<T> {

  /** Returns the object's stub: to be called as if it were the object. */
  T stub();

  /** Returns the class or interface by which the object is called. */
  Class<T> type();

  /** Returns the node that the object lives on. */
  NodeId node();

  /**
   * Makes the call that the lambda makes, and returns at once, whatever the method returns.
   *
   * @param call run here, once, on a recorder; must make exactly one call and return its result:
   *     {@code ref.ask(Solver::energy)}, {@code ref.ask(s -> s.probe(x, y))}
   * @return completes with the result, or with what the method throws. Its {@code cancel} gives the
   *     result up: a call that waits in the object's queue is not served any more; one that is
   *     being served goes on to its end, also after {@code cancel(true)}, as its thread is not
   *     interrupted
   * @throws IllegalArgumentException if the lambda does anything else
   */
  <R> CompletableFuture<R> ask(Asked<? super T, R> call);

  /**
   * Makes the call that the lambda makes, and returns at once.
   *
   * @param call run here, once, on a recorder; must make exactly one call: {@code ref.tell(s ->
   *     s.step(dt))}
   * @return completes when the call has been served; joining it is a fence behind all calls made
   *     before it
   * @throws IllegalArgumentException if the lambda does anything else
   */
  CompletableFuture<Void> tell(Told<? super T> call);

  /**
   * Returns a reference to the same object whose calls end with a {@link CallTimeoutException} when
   * the answer takes longer. {@code Duration.ofSeconds(Long.MAX_VALUE)} is for ever, and takes the
   * limit of {@code troupe.callTimeout} away.
   *
   * @throws IllegalArgumentException if the time is not positive
   */
  Ref<T> within(Duration timeout);

  /**
   * Ends the object when it has served what was sent before.
   *
   * @return completes when it has ended
   */
  CompletableFuture<Void> terminate();

  /**
   * Ends the object after the request that it is serving; those that wait are not served.
   *
   * @return completes when it has ended
   */
  CompletableFuture<Void> terminateNow();

  /** Completes when the object has ended, whoever ends it; never waits by itself. */
  CompletableFuture<Void> ended();

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
   * A call whose result, if any, is of no interest.
   *
   * @param <T> the type called
   */
  @FunctionalInterface
  interface Told<T> {

    /** Makes one call on the target. */
    void on(T target) throws Exception;
  }
}
