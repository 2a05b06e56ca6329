package org.troupe.groups;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Collects the answers of one node's members to one call until they can be combined. */
final class NodeAnswers<V> {

  /*
   * Lifetime
   *
   * The members share only their node, so this object is found by the key of the call. It is
   * removed when all members have answered. If a member was terminated before its turn, the caller,
   * which learns of that, discards the object; if the caller is lost, the node does.
   */
  private final Runnable remove;
  private final Reduction<V> reduction;
  private final FutureResult<V> combined =
      Collectives.current().result(() -> "the combined answers of a node");

  // Guarded by this
  private final List<V> answers; // by the members' index on the node
  private int missing;
  private volatile boolean failed;
  private @Nullable Throwable cause;

  private NodeAnswers(int members, Reduction<V> reduction, Runnable forgotten) {
    this.remove = forgotten;
    this.reduction = reduction;
    this.answers = new ArrayList<>(Collections.nCopies(members, null));
    this.missing = members;
    combined.claim(); // the caller gets failures from the members' own answers
  }

  /** Returns the collection of a call; the first member that answers creates it. */
  static <V> NodeAnswers<V> to(BodyExtension.Key call, int members, Reduction<V> reduction) {
    return Collectives.current()
        .shared(call, forgotten -> new NodeAnswers<>(members, reduction, forgotten));
  }

  /** Discards the collection of a failed call; its caller already has the cause. */
  static void discard(BodyExtension.Key call) {
    if (Collectives.current().removeShared(call) instanceof NodeAnswers<?> left) {
      left.combined.settle(
          new Outcome.Failure<>(new CancellationException("the combination has failed")));
    }
  }

  FutureResult<V> combined() {
    return combined;
  }

  /** Returns, after the combination, whether it has no value because members have failed. */
  boolean hasFailed() {
    return failed;
  }

  void take(int index, V answer) {
    synchronized (this) {
      answers.set(index, answer);
      if (--missing > 0) {
        return;
      }
    }
    settle();
  }

  /**
   * Records that a member has no answer.
   *
   * @param unreported the cause; {@code null} if the member itself reports it
   */
  void fail(@Nullable Throwable unreported) {
    synchronized (this) {
      failed = true;
      cause = unreported == null ? cause : unreported;
      if (--missing > 0) {
        return;
      }
    }
    settle();
  }

  private void settle() {
    remove.run();
    Outcome<V> outcome;
    try {
      outcome =
          failed ? Outcome.withoutValue() : new Outcome.Success<>(reduction.combined(answers));
    } catch (Throwable failure) {
      outcome = new Outcome.Failure<>(failure);
    }
    combined.settle(cause == null ? outcome : new Outcome.Failure<>(cause));
  }
}
