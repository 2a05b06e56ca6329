package org.troupe.groups.spmd;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.groups.Group;
import org.troupe.groups.Invocation;
import org.troupe.groups.Reduction;
import org.troupe.groups.Results;
import org.troupe.groups.WithPart;
import org.troupe.groups.internal.ReplyReceivers;

/**
 * One member's part in a call that all members of a group make together. The arguments are combined
 * at rank 0, which makes the call and broadcasts the future of the answer. This is one collective
 * operation: a failure at one member fails it at all.
 */
final class CollectiveCall<A, Q, V> implements Invocation<V> {

  private final Spmd<?> spmd;
  private final A argument;
  private final Reduction<A> reduction;
  private final Q target;
  private final WithPart<? super Q, A, V> call;
  private final AtomicBoolean isMade = new AtomicBoolean();

  CollectiveCall(
      Spmd<?> spmd, A argument, Reduction<A> reduction, Q target, WithPart<? super Q, A, V> call) {
    if (!ActiveObjects.isStub(target)) {
      throw new IllegalArgumentException(
          "a combined call goes to one active object; was given "
              + (target == null ? "null" : IndefiniteArticle.before(target.getClass().getName())));
    }
    this.spmd = spmd;
    this.argument = argument;
    this.reduction = reduction;
    this.target = target;
    this.call = call;
  }

  @Override
  public void discard() {
    together(
        OperationKind.COMBINED_DISCARD,
        c -> {
          var all = combinedArgument(c);
          if (c.rank() == 0) {
            ActiveObjects.ref(target).tell(each -> call.on(each, all));
          }
          return null;
        });
  }

  @Override
  public CompletableFuture<V> returned(int rank) {
    Objects.checkIndex(rank, spmd.size());
    var answer = answer(OperationKind.COMBINED_RETURNED);
    return rank == spmd.rank()
        ? answer
        : then(CompletableFuture.completedFuture(null), none -> null);
  }

  @Override
  public Results<V> gather() {
    return Results.of(
        "a combined call",
        this::typeOfAnswer,
        List.of(then(answer(OperationKind.COMBINED_GATHER), Function.<V>identity())),
        rank -> "node '" + ActiveObjects.ref(target).node().name() + "'");
  }

  @Override
  public CompletableFuture<V> combine(Reduction<V> ofAnswers) {
    return answer(OperationKind.COMBINED_COMBINE); // there is only one answer
  }

  @Override
  public <R> CompletableFuture<Void> forward(R receiver, Forward<? super R, ? super V> to) {
    ReplyReceivers.require(receiver);
    return round(
        OperationKind.COMBINED_FORWARD,
        all -> then(asked(all), answer -> forwarded(receiver, to, answer)));
  }

  private static <R, V> Void forwarded(R receiver, Forward<? super R, ? super V> to, V answer) {
    return (Group.isGroup(receiver)
            ? Group.of(receiver).tell(each -> to.on(each, answer))
            : ActiveObjects.ref(receiver).tell(each -> to.on(each, answer)))
        .join();
  }

  @Override
  public <P> CompletableFuture<P> personalised(Reduction<V> ofAnswers, Cut<? super V, P> cut) {
    return then(
        answer(OperationKind.COMBINED_PERSONALISED),
        value -> cut.part(value, spmd.rank(), spmd.size()));
  }

  /**
   * Only rank 0 makes the call, so other members record it with their own argument to find its
   * type.
   */
  private Class<?> typeOfAnswer() {
    var type = ActiveObjects.ref(target).type();
    return Collectives.current()
        .<Q>record(type, each -> call.on(each, argument), true)
        .method()
        .getReturnType();
  }

  /*
   * The function applied to an answer does not run as a stage, which would be a request of this
   * object: the object may be waiting for it.
   */
  private static <X, Y> CompletableFuture<Y> then(CompletableFuture<X> first, Function<X, Y> next) {
    var source = Futures.resultOf(first);
    FutureResult<Y> result =
        Collectives.current()
            .result(
                () -> "the answer to a combined call",
                () -> source == null ? ResultSources.UNKNOWN : ResultSources.all(List.of(source)));
    Thread.startVirtualThread(
        Collectives.current()
            .inName(
                () -> {
                  try {
                    result.settle(new Outcome.Success<>(next.apply(first.join())));
                  } catch (CompletionException e) {
                    result.settle(new Outcome.Failure<>(e.getCause() == null ? e : e.getCause()));
                  } catch (RuntimeException | Error e) {
                    result.settle(new Outcome.Failure<>(e));
                  }
                }));
    return result.asCompletableFuture();
  }

  /** Returns the combined argument at rank 0; the value at other members is undefined. */
  @SuppressWarnings({"unchecked", "NullAway"}) // only rank 0 uses it, and A may be nullable
  private A combinedArgument(CollectiveOperation c) {
    if (reduction.isTree()) {
      return ObjectCollectives.reduce(c, 0, argument, reduction.op());
    }
    var all = ObjectCollectives.gather(c, 0, argument);
    return all == null ? null : reduction.combined((List<A>) Arrays.asList(all));
  }

  private CompletableFuture<V> asked(A all) {
    return ActiveObjects.ref(target).ask(each -> call.on(each, all));
  }

  private CompletableFuture<V> answer(OperationKind kind) {
    return round(kind, this::asked);
  }

  /** Makes the call at rank 0 and broadcasts the future of its result. */
  @SuppressWarnings("unchecked") // the future that rank 0 has broadcast
  private <R> CompletableFuture<R> round(
      OperationKind kind, Function<A, CompletableFuture<R>> made) {
    return (CompletableFuture<R>)
        together(
            kind,
            c -> {
              var all = combinedArgument(c);
              return ObjectCollectives.broadcast(c, 0, c.rank() == 0 ? attempted(made, all) : null);
            });
  }

  /**
   * Converts an exception, such as that of a lambda without a call, to a future that fails at all
   * members.
   */
  private static <A, R> CompletableFuture<R> attempted(
      Function<A, CompletableFuture<R>> made, A all) {
    try {
      return made.apply(all);
    } catch (RuntimeException | Error refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  @SuppressWarnings("NullAway") // only discard() has no value, and ignores it
  private Object together(
      OperationKind kind, Function<CollectiveOperation, @Nullable Object> part) {
    if (!isMade.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "this call has been made; prepare another one with combined(..)");
    }
    return spmd.collectives().run(kind, part);
  }
}
