package org.troupe.mpj.matching;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError.Failure;

/**
 * The lost ranks, the members of contexts, which depend on them, and the contexts whose collectives
 * have failed. Guarded by its engine.
 */
final class RankLosses {

  private final RankNetwork network;
  private final Map<Integer, String> lost = new LinkedHashMap<>(); // why, by rank
  private final Map<Integer, BitSet> members = new HashMap<>(); // by even context
  private final Map<Integer, BitSet> known =
      new HashMap<>(); // losses that receives from any told of
  private final Map<Integer, Failure> broken = new HashMap<>(); // contexts of collectives
  private final BitSet closed = new BitSet(); // halves of contexts, which are not used again

  RankLosses(RankNetwork network) {
    this.network = network;
  }

  // Contexts

  void open(int context, int[] ranks) {
    var all = new BitSet();
    for (var each : ranks) {
      all.set(each);
    }
    members.put(context & ~1, all);
  }

  void close(int context) {
    members.remove(context & ~1);
    known.remove(context & ~1);
    broken.remove(context | 1);
    closed.set(context >> 1);
  }

  /** Returns whether a context was closed, for good. */
  boolean isClosed(int context) {
    return closed.get(context >> 1);
  }

  /** Adds the members of a context. */
  void addMembers(int context, BitSet to) {
    var all = members.get(context & ~1);
    if (all != null) {
      to.or(all);
    }
  }

  // Losses

  void add(List<Integer> ranks, String why) {
    ranks.forEach(each -> lost.putIfAbsent(each, why));
  }

  @Nullable String why(int rank) {
    return lost.get(rank);
  }

  /** Returns whether the loss of ranks concerns receives of a key; then it is told. */
  boolean concerns(MatchKey key, List<Integer> ranks) {
    if (key.source() != MessageEngine.ANY) {
      return lost.containsKey(key.source())
          || (key.context() & 1) == 1 && isAnyMember(key.context(), ranks);
    }
    if (!isAnyMember(key.context(), ranks)) {
      return false;
    }
    noteKnown(key.context());
    return true;
  }

  private boolean isAnyMember(int context, List<Integer> ranks) {
    var all = members.get(context & ~1);
    return all == null || ranks.stream().anyMatch(all::get);
  }

  private void noteKnown(int context) {
    var told = known.computeIfAbsent(context & ~1, _ -> new BitSet());
    lost.keySet().forEach(told::set);
  }

  Failure failure(int which, String why) {
    return new Failure(
        ErrorClass.PROC_FAILED,
        network.describe(which) + " is lost: " + why + "; what needs it cannot be completed");
  }

  /** Returns why a send cannot be received; {@code null} if it can. */
  @Nullable Failure ofSend(int to, int context) {
    if ((context & 1) == 1) {
      return hopeless(new MatchKey(context, to, MessageEngine.ANY));
    }
    var why = lost.get(to);
    return why == null ? null : failure(to, why);
  }

  /** Returns why a receive without a message cannot be completed; {@code null} if it can. */
  @Nullable Failure hopeless(MatchKey wanted) {
    var context = wanted.context();
    var cause = broken.get(context);
    if (cause != null) {
      return cause;
    }
    for (var each : lost.entrySet()) {
      var isMember = isAnyMember(context, List.of(each.getKey()));
      var concerns = wanted.source() == each.getKey() || (context & 1) == 1 && isMember;
      if (!concerns && wanted.source() == MessageEngine.ANY && isMember) {
        concerns = !known.computeIfAbsent(context & ~1, _ -> new BitSet()).get(each.getKey());
        if (concerns) {
          noteKnown(context);
        }
      }
      if (concerns) {
        return failure(each.getKey(), each.getValue());
      }
    }
    return null;
  }

  // Broken collectives

  void breakCollectives(int context, Failure why) {
    broken.putIfAbsent(context | 1, why);
  }

  @Nullable Failure brokenBy(int context) {
    return broken.get(context | 1);
  }
}
