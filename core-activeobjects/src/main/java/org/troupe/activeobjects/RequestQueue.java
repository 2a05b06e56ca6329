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

  /** A filter: requests for a method of this name. */
  static Predicate<Request> method(String name) {
    return request -> request.isFor(name);
  }

  /**
   * Says whether requests can still come, or still wait. After {@link Ref#terminate} it stays
   * {@code true} until the requests that were sent before it are served, so that a loop {@code
   * while (requests.isOpen()) requests.serveOldest()} serves them all. It becomes {@code false} all
   * the same if the loop asks again and again, and serves none of them; these are then refused.
   * After {@link Ref#terminateNow} it is {@code false}.
   */
  boolean isOpen();

  /** Returns how many requests wait. */
  int size();

  /** Returns the waiting requests, oldest first; a snapshot, nothing is removed. */
  List<Request> pending();

  /**
   * Serves the oldest request that matches, waiting for one, or until one is no longer held by a
   * barrier.
   *
   * @return {@code false} if the object is being terminated and no such request waits
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean serveOldest(Predicate<Request> filter) throws InterruptedException;

  /** Serves the oldest request of all, waiting for one. */
  default boolean serveOldest() throws InterruptedException {
    return serveOldest(ANY);
  }

  /** Serves the oldest request for a method of this name, waiting for one. */
  default boolean serveOldest(String methodName) throws InterruptedException {
    return serveOldest(method(methodName));
  }

  /**
   * Serves the oldest request that matches, waiting for one at most for the given time.
   *
   * @return whether one was served
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean serveOldest(Predicate<Request> filter, Duration timeout) throws InterruptedException;

  /**
   * Serves the youngest request that matches, waiting for one.
   *
   * @return {@code false} if the object is being terminated and no such request waits
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean serveYoungest(Predicate<Request> filter) throws InterruptedException;

  /** Serves the youngest request of all, waiting for one. */
  default boolean serveYoungest() throws InterruptedException {
    return serveYoungest(ANY);
  }

  /**
   * Serves the oldest request that matches, if one is there.
   *
   * @return whether one was served; never waits for one
   */
  boolean tryServeOldest(Predicate<Request> filter) throws InterruptedException;

  /**
   * Serves the youngest request that matches, if one is there.
   *
   * @return whether one was served; never waits for one
   */
  boolean tryServeYoungest(Predicate<Request> filter) throws InterruptedException;

  /**
   * Waits until a request that matches is there, without serving it.
   *
   * @return {@code false} if the time is over, or the object is being terminated
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean await(Predicate<Request> filter, Duration timeout) throws InterruptedException;

  /**
   * Removes every request that matches; their callers get a {@link RequestDroppedException}.
   *
   * @return how many were dropped
   */
  int drop(Predicate<Request> filter);
}
