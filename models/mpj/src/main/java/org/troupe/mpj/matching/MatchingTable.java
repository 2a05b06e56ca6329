package org.troupe.mpj.matching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Posted receives and unexpected messages of one rank. Guarded by its engine. */
final class MatchingTable {

  /*
   * Design: constant time for each form of receive
   *
   * A receive names a source or takes any, and a tag or takes any: four forms. A posted receive is in the queue of its
   * own key, so an arriving message looks at four queues, and of their heads takes the one that was posted first. An
   * unexpected message is in four lists, one for each form of receive that takes it, each in the order of arrival;
   * a receive takes the head of one list, and the message is unlinked from the others. Forms without any posted
   * receive are skipped. Some empty queues are kept, as the next receive mostly has the key of an earlier one.
   */
  static final int FORMS = 4;

  private static final int MOST_EMPTY_QUEUES = 64;

  private final Map<MatchKey, ArrayDeque<ReceiveOperation>> posted = new HashMap<>();
  private final int[] postedByForm = new int[FORMS];
  private final Map<MatchKey, Arrivals> unexpected = new HashMap<>();
  private int unexpectedCount;

  /** Unexpected messages for one key, in the order of arrival. */
  private static final class Arrivals {
    private @Nullable ArrivedMessage first;
    private @Nullable ArrivedMessage last;
  }

  // Receives

  void post(ReceiveOperation receive) {
    posted.computeIfAbsent(receive.key(), _ -> new ArrayDeque<>(2)).add(receive);
    postedByForm[receive.key().form()]++;
  }

  /** Removes and returns the receive that takes a message; {@code null} if none does. */
  @Nullable ReceiveOperation takePosted(MatchKey of) {
    ReceiveOperation best = null;
    for (var form = 0; form < FORMS; form++) {
      if (postedByForm[form] > 0) {
        var queue = posted.get(of.general(form));
        if (queue != null) {
          var head = queue.peek();
          if (head != null && (best == null || head.order() < best.order())) {
            best = head;
          }
        }
      }
    }
    if (best != null) {
      remove(best);
    }
    return best;
  }

  /** Removes a receive; false if it is not posted any more. */
  boolean remove(ReceiveOperation receive) {
    var queue = posted.get(receive.key());
    if (queue == null || !queue.remove(receive)) { // mostly the head
      return false;
    }
    if (queue.isEmpty() && posted.size() > MOST_EMPTY_QUEUES) {
      posted.remove(receive.key());
    }
    postedByForm[receive.key().form()]--;
    return true;
  }

  /** Removes and returns all receives of which something holds. */
  List<ReceiveOperation> removeAll(Predicate<MatchKey> which) {
    List<ReceiveOperation> removed = new ArrayList<>();
    for (var each : List.copyOf(posted.entrySet())) {
      if (!each.getValue().isEmpty() && which.test(each.getKey())) {
        for (var receive : List.copyOf(each.getValue())) {
          remove(receive);
          removed.add(receive);
        }
      }
    }
    return removed;
  }

  // Messages

  /** Returns the number of messages that are not of collectives. */
  int unexpectedCount() {
    var count = 0;
    for (var each : unexpected.entrySet()) {
      if (each.getKey().form() == 0 && (each.getKey().context() & 1) == 0) {
        for (var one = each.getValue().first; one != null; one = one.next[0]) {
          count++;
        }
      }
    }
    return count;
  }

  void add(ArrivedMessage message) {
    unexpectedCount++;
    for (var form = 0; form < FORMS; form++) {
      var all = unexpected.computeIfAbsent(message.key().general(form), _ -> new Arrivals());
      message.previous[form] = all.last;
      if (all.last == null) {
        all.first = message;
      } else {
        all.last.next[form] = message;
      }
      all.last = message;
    }
  }

  /** Returns the message that a receive would take; {@code null} if there is none. */
  @Nullable ArrivedMessage peek(MatchKey wanted) {
    var all = unexpectedCount == 0 ? null : unexpected.get(wanted);
    return all == null ? null : all.first;
  }

  /** Removes and returns the message that a receive takes; {@code null} if there is none. */
  @Nullable ArrivedMessage take(MatchKey wanted) {
    var found = peek(wanted);
    if (found != null) {
      remove(found);
    }
    return found;
  }

  /** Removes a message with a number of its sender; {@code null} if it is not there any more. */
  @Nullable ArrivedMessage take(int source, long id) {
    for (var each : unexpected.entrySet()) {
      if (each.getKey().form() == 0 && each.getKey().source() == source) {
        for (var one = each.getValue().first; one != null; one = one.next[0]) {
          if (one.id() == id) {
            remove(one);
            return one;
          }
        }
      }
    }
    return null;
  }

  private void remove(ArrivedMessage message) {
    unexpectedCount--;
    for (var form = 0; form < FORMS; form++) {
      var key = message.key().general(form);
      var all = unexpected.get(key);
      if (all == null) {
        continue;
      }
      var before = message.previous[form];
      var after = message.next[form];
      if (before == null) {
        all.first = after;
      } else {
        before.next[form] = after;
      }
      if (after == null) {
        all.last = before;
      } else {
        after.previous[form] = before;
      }
      if (all.first == null) {
        unexpected.remove(key);
      }
      message.previous[form] = null;
      message.next[form] = null;
    }
  }

  /** Drops the unexpected messages of which something holds, and returns them. */
  List<ArrivedMessage> drop(Predicate<MatchKey> which) {
    List<ArrivedMessage> dropped = new ArrayList<>();
    for (var each : List.copyOf(unexpected.entrySet())) {
      if (each.getKey().form() == 0 && which.test(each.getKey())) {
        for (var one = each.getValue().first; one != null; ) {
          var after = one.next[0];
          remove(one);
          dropped.add(one);
          one = after;
        }
      }
    }
    return dropped;
  }
}
