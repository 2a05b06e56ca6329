package org.troupe.mpj.matching;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private final Map<Integer, BitSet> told =
      new HashMap<>(); // the lost ranks that failed receives from any rank have named
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
    told.remove(context & ~1);
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

  /** Records losses; returns the ranks that were not lost before. */
  List<Integer> add(List<Integer> ranks, String why) {
    return ranks.stream().filter(each -> lost.putIfAbsent(each, why) == null).toList();
  }

  /** Removes the lost ranks from some; returns those that it has removed. */
  BitSet removeLost(BitSet ranks) {
    var removed = new BitSet();
    for (var each : lost.keySet()) {
      if (ranks.get(each)) {
        ranks.clear(each);
        removed.set(each);
      }
    }
    return removed;
  }

  @Nullable String why(int rank) {
    return lost.get(rank);
  }

  /** Returns the first of some lost ranks that receives of a key need; -1 if they need none. */
  int needed(MatchKey key, List<Integer> ranks) {
    for (int each : ranks) {
      if (key.source() == each
          || (key.source() == MessageEngine.ANY || (key.context() & 1) == 1)
              && isMember(key.context(), each)) {
        return each;
      }
    }
    return -1;
  }

  private boolean isMember(int context, int rank) {
    var all = members.get(context & ~1);
    return all == null || all.get(rank);
  }

  /** Returns the failure of a receive that needs a lost rank, which it tells the program. */
  Failure tell(MatchKey key, int which) {
    if (key.source() == MessageEngine.ANY) {
      told(key.context()).set(which);
    }
    return failure(which, Objects.requireNonNull(lost.get(which), "lost"));
  }

  private BitSet told(int context) {
    return told.computeIfAbsent(context & ~1, _ -> new BitSet());
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
    var isOfAny = wanted.source() == MessageEngine.ANY && (context & 1) == 0;
    for (int each : lost.keySet()) {
      if (needed(wanted, List.of(each)) >= 0 && !(isOfAny && told(context).get(each))) {
        return tell(wanted, each);
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
