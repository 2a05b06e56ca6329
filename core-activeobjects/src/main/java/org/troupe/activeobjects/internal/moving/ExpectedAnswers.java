package org.troupe.activeobjects.internal.moving;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.futures.Outcome;

/** The unanswered calls of one node to objects that have moved. Thread-safe. */
final class ExpectedAnswers {

  /*
   * Design: a call is known by its id, and to its object
   *
   * An answer is looked up by the id of its call, and the calls to an object are looked through when it may be lost, so
   * each object has the ids of its calls. An id is added there before its call is, and removed after it: an id
   * without a call is that of one which has just ended.
   */

  private static final long CHECK_MILLIS = 10;
  private static final long MOST_CHECKS = 1_000;

  private final Map<Long, Expected> expected = new ConcurrentHashMap<>(); // by the ids of the calls

  /**
   * An unanswered call.
   *
   * @param object {@code null} while it is not known whether the object has moved
   */
  record Expected(@Nullable MovedObject object, CallResult result) {

    boolean isSentAgain() {
      return object != null && object.awaits(result.callId);
    }
  }

  /** Registers the result that receives the answer of a call. */
  void add(MovedObject object, long callId, CallResult result) {
    object.unanswered().add(callId);
    expected.put(callId, new Expected(object, result));
  }

  /** Registers a call to an object of a lost node, which may have left it. */
  void addLost(CallResult result) {
    expected.put(result.callId, new Expected(null, result));
  }

  /** Records which object a lost call follows; returns whether the call is still unanswered. */
  boolean follows(CallResult result, MovedObject object) {
    var following =
        expected.computeIfPresent(
            result.callId,
            (callId, _) -> {
              object.unanswered().add(callId);
              return new Expected(object, result);
            });
    return following != null;
  }

  /** Removes those of some calls that are unanswered. */
  List<CallResult> removeAll(List<CallResult> calls) {
    return calls.stream().filter(each -> remove(each.callId) != null).toList();
  }

  /** Returns the results that receive answers, in no order. */
  List<CallResult> results() {
    return expected.values().stream().map(Expected::result).toList();
  }

  /** Returns whether no answer is expected. */
  boolean isEmpty() {
    return expected.isEmpty();
  }

  /** Returns the result of a call that needs no answer any more, or {@code null}. */
  @Nullable CallResult remove(long callId) {
    var known = take(callId);
    return known == null ? null : known.result();
  }

  /** Removes a call that has ended; returns {@code null} if it is not expected. */
  @Nullable Expected take(long callId) {
    var known = expected.remove(callId);
    var object = known == null ? null : known.object();
    if (object != null) {
      object.unanswered().remove(callId);
    }
    return known;
  }

  /** Fails a call if it is unanswered. */
  void fail(long callId, RuntimeException why) {
    var result = remove(callId);
    if (result != null) {
      result.settle(new Outcome.Failure<>(why));
    }
  }

  /** Fails all calls to an object. */
  void failAll(MovedObject object, RuntimeException why) {
    idsOf(object).forEach(each -> fail(each, why));
  }

  /** Fails all calls. */
  void failAll(RuntimeException why) {
    List.copyOf(expected.keySet()).forEach(each -> fail(each, why));
  }

  /** Returns the ids of the unanswered calls to an object. */
  List<Long> idsOf(MovedObject object) {
    return object.unanswered().stream().filter(expected::containsKey).toList();
  }

  /**
   * Returns the ids of the unanswered calls to an object that are lost if a node on their way is:
   * those that are not sent again.
   */
  List<Long> idsOfUnkept(MovedObject object) {
    return object.unanswered().stream().filter(this::isUnkept).toList();
  }

  private boolean isUnkept(long callId) {
    var known = expected.get(callId);
    return known != null && !known.isSentAgain();
  }

  /**
   * Fails those of some calls that are unanswered, because they were lost with a node.
   *
   * @param story how the object itself was lost and made anew; empty if it was not
   */
  void failLost(Collection<Long> callIds, String story) {
    for (var each : callIds) {
      var known = expected.get(each);
      if (known == null || known.isSentAgain()) {
        continue; // it is sent again
      }
      var result = remove(each);
      if (result != null) {
        result.settle(new Outcome.Failure<>(story.isEmpty() ? lost() : restarted(story, result)));
      }
    }
  }

  private static NodeLostException lost() {
    return new NodeLostException(
        "a node on the way of a call to an object that has moved is gone; whether the call was"
            + " served is unknown");
  }

  /** Returns the failure of a call that was unanswered when its object was lost and made anew. */
  static RestartedException restarted(String story, CallResult call) {
    return new RestartedException(story + "; whether " + call.method() + " was served is unknown");
  }

  /** Fails all calls to an object that is being made anew. */
  void refuseAll(MovedObject object, String story) {
    failLost(idsOf(object), story);
  }

  /** Returns whether a call needs an answer. */
  boolean has(long callId) {
    return expected.containsKey(callId);
  }

  /**
   * Returns those of some calls of another node that are neither queued nor served here; {@code
   * null} if the object has left.
   */
  static long @Nullable [] missing(
      MovedObject object, RelocationGrid grid, Peer caller, long[] callIds, int epoch, long view)
      throws InterruptedException {
    if (!awaitArrivals(object, grid, epoch, view)) {
      return null;
    }
    var missing =
        Arrays.stream(callIds).filter(each -> !caller.incoming().hasUnanswered(each)).toArray();
    return object.isHereIn(epoch) ? missing : null; // if it has left, they follow it
  }

  /** Waits until all calls that were sent to an object are in its queue, unless it leaves. */
  static boolean awaitArrivals(MovedObject object, RelocationGrid grid, int epoch, long view)
      throws InterruptedException {
    for (var checks = 0L; checks < MOST_CHECKS && !object.hasPassed(epoch); checks++) {
      if (object.isHereIn(epoch) && grid.appliedView() >= view && !object.holdsArrivals()) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(CHECK_MILLIS);
    }
    return false;
  }
}
