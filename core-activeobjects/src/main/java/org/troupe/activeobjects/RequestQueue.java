package org.troupe.activeobjects;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * The pending requests of an active object with a {@link Service} of its own. Used only by the
 * thread that runs {@link Service#serve}.
 *
 * <p>A filter that throws leaves the queue as it was. A waiting method throws {@link
 * InterruptedException} when its thread is interrupted.
 */
public interface RequestQueue {

  /** Matches every request. */
  Predicate<Request> ANY = request -> true;

  /** Returns a filter for requests of the method of this name. */
  static Predicate<Request> method(String name) {
    return request -> request.isFor(name);
  }

  /**
   * Returns whether requests can still arrive or still wait. After {@link Ref#terminate} it remains
   * {@code true} until the requests sent before are served, so that the loop {@code while
   * (requests.isOpen()) requests.serveOldest()} serves all of them. If a loop asks repeatedly
   * without serving any, it becomes {@code false} and the rest are refused. After {@link
   * Ref#terminateNow} it is {@code false}.
   */
  boolean isOpen();

  /** Returns the number of waiting requests. */
  int size();

  /** Returns a snapshot of the waiting requests, oldest first; removes none. */
  List<Request> pending();

  /**
   * Serves the oldest request that matches; waits until there is one that no barrier holds back.
   *
   * @return {@code false} if the object is being terminated and no such request waits
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean serveOldest(Predicate<Request> filter) throws InterruptedException;

  /** Serves the oldest request; waits for one. */
  default boolean serveOldest() throws InterruptedException {
    return serveOldest(ANY);
  }

  /** Serves the oldest request of the method of this name; waits for one. */
  default boolean serveOldest(String methodName) throws InterruptedException {
    return serveOldest(method(methodName));
  }

  /**
   * Serves the oldest request that matches; waits for one, at most for the given time.
   *
   * @return whether one was served
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean serveOldest(Predicate<Request> filter, Duration timeout) throws InterruptedException;

  /**
   * Serves the youngest request that matches; waits for one.
   *
   * @return {@code false} if the object is being terminated and no such request waits
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean serveYoungest(Predicate<Request> filter) throws InterruptedException;

  /** Serves the youngest request; waits for one. */
  default boolean serveYoungest() throws InterruptedException {
    return serveYoungest(ANY);
  }

  /**
   * Serves the oldest request that matches, if there is one now.
   *
   * @return whether one was served; never waits for one
   */
  boolean tryServeOldest(Predicate<Request> filter) throws InterruptedException;

  /**
   * Serves the youngest request that matches, if there is one now.
   *
   * @return whether one was served; never waits for one
   */
  boolean tryServeYoungest(Predicate<Request> filter) throws InterruptedException;

  /**
   * Waits until there is a request that matches, without serving it.
   *
   * @return {@code false} if the time is over, or the object is being terminated
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean await(Predicate<Request> filter, Duration timeout) throws InterruptedException;

  /**
   * Removes every request that matches; its caller gets a {@link RequestDroppedException}.
   *
   * @return the number of dropped requests
   */
  int drop(Predicate<Request> filter);
}
