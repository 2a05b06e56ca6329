package org.troupe.activeobjects.internal.keeping;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.CallRequest;

/** The requests in whose service the log has failed, and that are yet to be answered. */
final class InterruptedRequests {

  private volatile @Nullable Interrupted first;

  /** Requests that came after that one, because an immediate method had failed before the log. */
  private final Queue<Interrupted> later = new ConcurrentLinkedQueue<>();

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
    if (first == null) {
      first = next;
    } else {
      later.add(next);
    }
  }

  /** Returns the first request, or {@code null}. */
  @Nullable Interrupted first() {
    return first;
  }

  /** Replaces the first request, or removes it; those that came later stay. */
  void first(@Nullable Interrupted next) {
    first = next;
  }

  /** Removes a request that came after the first one; returns {@code null} if there is none. */
  @Nullable Interrupted pollLater() {
    return later.poll();
  }
}
