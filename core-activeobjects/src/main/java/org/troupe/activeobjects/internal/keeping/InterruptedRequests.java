package org.troupe.activeobjects.internal.keeping;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.CallRequest;

/** The requests in whose service the log has failed, and that are yet to be answered. */
final class InterruptedRequests {

  // in the order of their service; several, if an immediate method had failed before the log, or
  // answers were deferred
  private final ConcurrentLinkedDeque<Interrupted> all = new ConcurrentLinkedDeque<>();

  /**
   * A request in whose service the log has failed.
   *
   * @param request {@code null} for the notification of the start
   * @param call the request as it was to be logged, since its service may have changed the
   *     arguments
   * @param receiver the last argument of a call whose answer is combined with others
   * @param ordinal that it has in the log, if the log has it
   */
  record Interrupted(
      @Nullable CallRequest request, LoggedCall call, @Nullable Object receiver, long ordinal) {

    /** Returns the arguments as they were at first. */
    Object[] arguments(LogContent content) {
      var arguments = content.request(call).arguments();
      if (receiver == null) {
        return arguments;
      }
      var all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = receiver;
      return all;
    }

    boolean isStart() {
      return request == null;
    }
  }

  void add(Interrupted next) {
    all.add(next);
  }

  /** Adds requests that were served before all others. */
  void addInFront(List<Interrupted> earlier) {
    earlier.reversed().forEach(all::addFirst);
  }

  /** Returns the first request, or {@code null}. */
  @Nullable Interrupted first() {
    return all.peek();
  }

  /** Replaces the first request. */
  void replaceFirst(Interrupted next) {
    all.remove();
    all.addFirst(next);
  }

  /** Removes the first request; returns {@code null} if there is none. */
  @Nullable Interrupted poll() {
    return all.poll();
  }
}
