package org.troupe.groups.spmd;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.groups.CollectiveException;

/**
 * A checkpoint of a group, as its caller sees it.
 *
 * @param <C> the result
 */
final class GroupCheckpoint<C> {

  private final Key key = Collectives.current().newKey();
  private final Class<?> type;
  private final List<? extends Ref<?>> members;
  private final Store store;
  private final AtomicBoolean isAbandoned = new AtomicBoolean();
  private final AtomicInteger missing;

  private final LongFunction<C> made;

  /**
   * Prepares a checkpoint.
   *
   * @param made makes the result of the number of the generation
   */
  GroupCheckpoint(
      Class<?> type, List<? extends Ref<?>> members, Store store, LongFunction<C> made) {
    this.made = made;
    this.type = type;
    this.members = members;
    this.store = store;
    this.missing = new AtomicInteger(members.size());
  }

  /** Makes the checkpoint; returns at once. */
  CompletableFuture<C> begin() {
    var stubs = members.stream().map(Ref::stub).toArray();
    var visit = new CheckpointVisit(key, store, type.getName(), stubs);
    var answers = Collectives.current().visit(visit, members);
    FutureResult<C> whole =
        Collectives.current()
            .result(
                () -> "a checkpoint of " + members.size() + " members of " + type.getName(),
                () -> ResultSources.all(answers));
    for (var each : answers) {
      each.claim(); // the failure is that of the checkpoint
      each.onSettled(outcome -> answered(outcome, answers, whole));
    }
    return whole.asCompletableFuture();
  }

  private void answered(
      Outcome<Object> outcome, List<FutureResult<Object>> answers, FutureResult<C> whole) {
    if (!(outcome.settled() instanceof Outcome.Success<Object>)
        && isAbandoned.compareAndSet(false, true)) {
      // On a thread of its own: this one reads a link.
      Thread.startVirtualThread(this::abandon);
    }
    if (missing.decrementAndGet() == 0) {
      Thread.startVirtualThread(() -> whole.settle(outcome(answers)));
    }
  }

  /** Releases the members that wait for a member whose answer tells of a failure. */
  private void abandon() {
    var abandonment = new CheckpointVisit.Abandonment(Collectives.current().newKey(), key);
    Collectives.current().attach(abandonment, members).forEach(FutureResult::claim);
  }

  private Outcome<C> outcome(List<FutureResult<Object>> answers) {
    Throwable failure = null;
    long generation = MemberCheckpoint.ABANDONED;
    for (var each : answers) {
      switch (each.await().settled()) {
        case Outcome.Success<Object>(Object number) ->
            generation = Math.max(generation, (Long) number);
        case Outcome.Failure<Object>(Throwable cause) ->
            failure =
                failure == null || !(failure instanceof CollectiveException) ? cause : failure;
        case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
      }
    }
    if (failure == null && generation == MemberCheckpoint.ABANDONED) {
      failure = MemberCheckpoint.failure("a member has given it up");
    }
    return failure == null
        ? new Outcome.Success<>(made.apply(generation))
        : new Outcome.Failure<>(
            failure instanceof CollectiveException
                ? failure
                : MemberCheckpoint.failure(String.valueOf(failure.getMessage())));
  }
}
