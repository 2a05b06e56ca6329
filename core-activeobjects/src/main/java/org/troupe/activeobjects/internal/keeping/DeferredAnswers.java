package org.troupe.activeobjects.internal.keeping;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;

/**
 * The answers of requests that were served before the log had their input stable. Thread-safe.
 *
 * <p>Their object serves the next requests meanwhile, so that one flush of a synced store makes
 * many of them stable.
 */
final class DeferredAnswers {

  /** The most answers; the object waits for their input before it serves another request. */
  private static final int MOST = 1024;

  /**
   * A request that has ended, and its answer.
   *
   * @param ordinal of the request in the log
   * @param call the request as it was logged
   * @param value cannot change any more
   */
  record Deferred(long ordinal, CallRequest request, LoggedCall call, @Nullable Object value) {}

  private final Body body;
  private final Deque<Deferred> waiting = new ArrayDeque<>(0); // by ordinal; guarded by this

  DeferredAnswers(Body body) {
    this.body = body;
  }

  synchronized boolean isFull() {
    return waiting.size() >= MOST;
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  synchronized void add(Deferred next) {
    waiting.add(next);
  }

  /** Gives the answers of requests up to an ordinal, whose input is stable. */
  void give(long upTo) {
    for (Deferred next; (next = poll(upTo)) != null; ) {
      next.request().answerAgain(body, next.value());
    }
  }

  private synchronized @Nullable Deferred poll(long upTo) {
    var next = waiting.peek();
    return next == null || next.ordinal() > upTo ? null : waiting.remove();
  }

  /** Removes the requests whose answers have not been given, since the log has failed. */
  synchronized List<Deferred> removeAll() {
    var all = new ArrayList<>(waiting);
    waiting.clear();
    return all;
  }
}
