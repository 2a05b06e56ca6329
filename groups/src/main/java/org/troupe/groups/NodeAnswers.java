package org.troupe.groups;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The answers to one call of the members that live in one node, until they are combined. */
final class NodeAnswers<V> {

  /*
   * The members share nothing but their node, so this is found by the call. It goes when all members have answered; or,
   * since one was terminated before its turn, when the caller has heard of that, or is lost.
   */
  private final Runnable forgotten;
  private final Reduction<V> reduction;
  private final FutureResult<V> combined =
      Collectives.current().result(() -> "the combined answers of a node");

  // Under this
  private final List<V> answers; // by their index among those of the node
  private int missing;
  private volatile boolean failed;
  private Throwable cause;

  private NodeAnswers(int members, Reduction<V> reduction, Runnable forgotten) {
    this.forgotten = forgotten;
    this.reduction = reduction;
    this.answers = new ArrayList<>(Collections.nCopies(members, null));
    this.missing = members;
    combined.claim(); // the caller hears of what fails from the members themselves
  }

  /** Returns those to a call; the first member that answers makes the place for them. */
  static <V> NodeAnswers<V> to(BodyExtension.Key call, int members, Reduction<V> reduction) {
    return Collectives.current()
        .shared(call, forgotten -> new NodeAnswers<>(members, reduction, forgotten));
  }

  /** Gives up what is left of a call, which has failed; its caller knows why. */
  static void forget(BodyExtension.Key call) {
    if (Collectives.current().removeShared(call) instanceof NodeAnswers<?> left) {
      left.combined.settle(
          new Outcome.Failure<>(new CancellationException("the combination has failed")));
    }
  }

  FutureResult<V> combined() {
    return combined;
  }

  /** Says, when they are combined, whether that means nothing, as some members have failed. */
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
    forgotten.run();
    Outcome<V> outcome;
    try {
      outcome = new Outcome.Success<>(failed ? null : reduction.combined(answers));
    } catch (Throwable failure) {
      outcome = new Outcome.Failure<>(failure);
    }
    combined.settle(cause == null ? outcome : new Outcome.Failure<>(cause));
  }
}
