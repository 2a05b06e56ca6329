package org.troupe.groups;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.collective.Recipients;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.groups.internal.ArrivalOrder;
import org.troupe.groups.internal.ReplyReceivers;

/** Makes one call on all members of a group, or a separate call on each. */
final class GroupInvocation<T, V> implements Invocation<V> {

  private final Group<T> group;
  private final List<? extends GroupCall> calls; // in rank order
  private final boolean isSame; // whether all members get one call
  private final AtomicBoolean made = new AtomicBoolean();

  GroupInvocation(Group<T> group, GroupCall call) {
    this(group, Collections.nCopies(group.size(), call), true);
  }

  GroupInvocation(Group<T> group, List<? extends GroupCall> calls) {
    this(group, calls, false);
  }

  private GroupInvocation(Group<T> group, List<? extends GroupCall> calls, boolean isSame) {
    this.group = group;
    this.calls = calls;
    this.isSame = isSame;
  }

  @Override
  public void discard() {
    once();
    var recipients = group.recipients();
    if (recipients != null) {
      if (isSame) {
        Collectives.current().post(calls.getFirst(), recipients);
      } else {
        Collectives.current().postEach(calls, recipients.objects());
      }
      return;
    }
    split(
        (callsOfActive, active, ranks) -> {
          Collectives.current().postEach(callsOfActive, active);
          return null;
        },
        (element, call, rank) -> {
          element.post(call);
          return null;
        });
  }

  @Override
  public CompletableFuture<V> returned(int rank) {
    group.requireRank(rank);
    return ask(true, this::typed).answers().get(rank).asCompletableFuture();
  }

  @Override
  public Results<V> gather() {
    return ask(true, this::typed);
  }

  /** Makes the calls; the results have no values and arrive when the calls have been served. */
  Results<V> served() {
    return served((inner, call) -> new GroupInvocation<T, V>(inner, call).whenServed());
  }

  private Results<V> served(BiFunction<Group<T>, GroupCall, CompletableFuture<?>> ofGroup) {
    return ask(false, ofGroup);
  }

  private CompletableFuture<Void> whenServed() {
    return served().whenServed();
  }

  @Override
  public CompletableFuture<V> combine(Reduction<V> reduction) {
    return combined(reduction, Function.identity());
  }

  /*
   * The function applied to the combination is no stage of a future: a stage would run as a request of
   * this object, which may be waiting for it.
   */
  private <R> CompletableFuture<R> combined(Reduction<V> reduction, Function<V, R> last) {
    var onTheWay = InNetworkReduction.of(group, calls, reduction);
    if (onTheWay != null) {
      once();
      return onTheWay.combined(answers -> results(answers, ArrivalOrder.of(answers)), last);
    }
    return ask(true, (inner, call) -> new GroupInvocation<T, V>(inner, call).combine(reduction))
        .whenAll(values -> last.apply(reduction.combined(values)));
  }

  @Override
  public <Q> CompletableFuture<Void> forward(Q receiver, Forward<? super Q, ? super V> call) {
    var forwarding = new ReplyForwarder<Q, V>(ReplyReceivers.require(receiver), call);
    Map<GroupCall, GroupCall> onward =
        new IdentityHashMap<>(); // members that share a call share its copy
    Map<GroupCall, GroupCall> plain = new IdentityHashMap<>();
    var forwarded =
        calls.stream()
            .map(each -> onward.computeIfAbsent(each, one -> one.onward(forwarding)))
            .toList();
    onward.forEach((each, its) -> plain.put(its, each));
    return new GroupInvocation<T, V>(group, forwarded)
        .served(
            (inner, its) ->
                new GroupInvocation<T, V>(inner, plain.getOrDefault(its, its))
                    .forward(receiver, call))
        .whenServed();
  }

  @Override
  public <P> CompletableFuture<P> personalised(Reduction<V> reduction, Cut<? super V, P> cut) {
    return combined(reduction, all -> cut.part(all, 0, 1));
  }

  private Results<V> results(List<FutureResult<V>> answers, ArrivalOrder arrivals) {
    return new Results<>(
        calls.getFirst().toString(),
        calls.getFirst().method()::getReturnType,
        answers,
        arrivals,
        group::where);
  }

  /** Makes the call on a member that is a group; the answer is a group as well if possible. */
  private CompletableFuture<?> typed(Group<T> inner, GroupCall call) {
    return call.method().getReturnType() == void.class
        ? new GroupInvocation<T, V>(inner, call).whenServed()
        : new GroupStub<>(inner).answered(call);
  }

  private void once() {
    if (!made.compareAndSet(false, true)) {
      throw new IllegalStateException(
          calls.getFirst()
              + " has been called by this invocation, which calls once; prepare another one with"
              + " group.each(..)");
    }
  }

  @SuppressWarnings("unchecked") // the recorder has checked that V is the result type
  private Results<V> ask(
      boolean valueWanted, BiFunction<Group<T>, GroupCall, CompletableFuture<?>> ofGroup) {
    once();
    var recipients = group.recipients();
    var arrivals = new ArrivalOrder(group.size());
    var answers =
        recipients != null
            ? askAll(recipients, valueWanted, arrivals)
            : split(
                (callsOfActive, active, ranks) ->
                    Collectives.current()
                        .askEach(
                            callsOfActive,
                            active,
                            valueWanted,
                            place -> arrivals.arrives(ranks.get(place))),
                (element, call, rank) ->
                    element.ask(
                        call, valueWanted, group.limit(), ofGroup, () -> arrivals.arrives(rank)));
    if (valueWanted && calls.getFirst().kind() == GroupCall.Kind.COMPLETABLE) {
      var futures = answers.stream().map(GroupInvocation::explicit).toList();
      return results((List<FutureResult<V>>) (List<?>) futures, ArrivalOrder.of(futures));
    }
    return results((List<FutureResult<V>>) (List<?>) answers, arrivals);
  }

  private List<FutureResult<Object>> askAll(
      Recipients recipients, boolean valueWanted, ArrivalOrder arrivals) {
    return isSame
        ? Collectives.current().ask(calls.getFirst(), recipients, valueWanted, arrivals::arrives)
        : Collectives.current()
            .askEach(calls, recipients.objects(), valueWanted, arrivals::arrives);
  }

  /** Wraps the completable future that the lambda itself returns, which exists at once. */
  private static FutureResult<Object> explicit(FutureResult<Object> answer) {
    FutureResult<Object> result = Collectives.current().result(answer::describe);
    result.settle(new Outcome.Success<>(answer.asCompletableFuture()));
    return result;
  }

  private interface OnActive {
    @Nullable List<FutureResult<Object>> call(
        List<GroupCall> calls, List<Ref<?>> objects, List<Integer> ranks);
  }

  private interface OnDeferred<T> {
    @Nullable FutureResult<Object> call(DeferredMember<T> element, GroupCall call, int rank);
  }

  /** Makes one call on all active objects, and a call on each of the other members. */
  private List<FutureResult<Object>> split(OnActive onActive, OnDeferred<T> onElement) {
    List<GroupCall> callsOfActive = new ArrayList<>();
    List<Ref<?>> active = new ArrayList<>();
    List<Integer> ranks = new ArrayList<>();
    var answers = new ArrayList<FutureResult<Object>>(Collections.nCopies(group.size(), null));
    for (var rank = 0; rank < group.size(); rank++) {
      switch (group.member(rank)) {
        case Member.Active<T> member -> {
          callsOfActive.add(calls.get(rank));
          active.add(member.ref());
          ranks.add(rank);
        }
        case DeferredMember<T> element ->
            answers.set(rank, onElement.call(element, calls.get(rank), rank));
      }
    }
    group.noteArrivals(); // their results have changed with these calls
    var answersOfActive = onActive.call(callsOfActive, active, ranks);
    if (answersOfActive != null) {
      for (var i = 0; i < ranks.size(); i++) {
        answers.set(ranks.get(i), answersOfActive.get(i));
      }
    }
    return answers;
  }
}
