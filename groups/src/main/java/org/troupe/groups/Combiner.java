package org.troupe.groups;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.activeobjects.spi.Pending;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The place in one node where the answers of its members to one call are combined. */
final class Combiner<V> {

  /*
   * The members of a node share nothing but their JVM, so the place is found by the call. It goes when all members
   * have answered, or else, since one was terminated before its turn, when the caller has heard of that.
   */
  private static final Map<Name, Combiner<?>> ALL = new ConcurrentHashMap<>();

  private record Name(Attachment.Key call, NodeId node) {}

  private final Name name;
  private final Reduction<V> reduction;
  private final FutureResult<V> combined = Pending.result(() -> "the combined answers of a node");

  // Under this
  private final List<V> answers; // by place
  private int missing;
  private boolean failed;
  private Throwable cause;

  private Combiner(Name name, int members, Reduction<V> reduction) {
    this.name = name;
    this.reduction = reduction;
    this.answers = new ArrayList<>(Collections.nCopies(members, null));
    this.missing = members;
  }

  /** Returns the combiner of a call, which the first member that answers makes. */
  @SuppressWarnings("unchecked") // one call has answers of one type
  static <V> Combiner<V> of(Attachment.Key call, NodeId node, int members, Reduction<V> reduction) {
    return (Combiner<V>)
        ALL.computeIfAbsent(new Name(call, node), name -> new Combiner<>(name, members, reduction));
  }

  /** Gives up what is left of a call, which has failed; its caller knows why. */
  static void forget(Attachment.Key call, NodeId node) {
    var left = ALL.remove(new Name(call, node));
    if (left != null) {
      left.combined.settle(
          new Outcome.Failure<>(new CancellationException("the combination has failed")));
    }
  }

  CompletableFuture<V> combined() {
    return combined.asCompletableFuture();
  }

  void take(int place, V answer) {
    synchronized (this) {
      answers.set(place, answer);
      if (--missing > 0) {
        return;
      }
    }
    settle();
  }

  /** A member has no answer; the cause is given if nobody else tells it. */
  void fail(Throwable untold) {
    synchronized (this) {
      failed = true;
      cause = untold == null ? cause : untold;
      if (--missing > 0) {
        return;
      }
    }
    settle();
  }

  private void settle() {
    ALL.remove(name);
    Outcome<V> outcome;
    try {
      outcome = new Outcome.Success<>(failed ? null : reduction.combined(answers));
    } catch (Throwable failure) {
      outcome = new Outcome.Failure<>(failure);
    }
    combined.settle(cause == null ? outcome : new Outcome.Failure<>(cause));
  }
}
