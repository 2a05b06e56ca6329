package org.troupe.groups;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/**
 * Makes a call whose answers are combined on each node, and in a tree of nodes, on their way back.
 */
final class InNetworkReduction<V> {

  private final List<Ref<?>> refs;
  private final List<? extends GroupCall> calls;
  private final Reduction<V> reduction;
  private final Map<NodeId, List<Integer>> ranks; // in the order of their first ranks

  private InNetworkReduction(
      List<Ref<?>> refs,
      List<? extends GroupCall> calls,
      Reduction<V> reduction,
      Map<NodeId, List<Integer>> ranks) {
    this.refs = refs;
    this.calls = calls;
    this.reduction = reduction;
    this.ranks = ranks;
  }

  /** Returns {@code null} if no answers can be combined before they reach the caller. */
  static <V> @Nullable InNetworkReduction<V> of(
      Group<?> group, List<? extends GroupCall> calls, Reduction<V> reduction) {
    var refs = group.refs();
    if (refs == null
        || calls.getFirst().kind() == GroupCall.Kind.COMPLETABLE
        || refs.stream().anyMatch(Collectives.current()::hasMoved)) {
      return null;
    }
    Map<NodeId, List<Integer>> ranks = new LinkedHashMap<>();
    for (var rank = 0; rank < refs.size(); rank++) {
      ranks.computeIfAbsent(refs.get(rank).node(), node -> new ArrayList<>()).add(rank);
    }
    var isWorthIt = ranks.size() < refs.size() || isTree(reduction, ranks.size());
    var isAllowed =
        reduction.isInAnyOrder() || ranks.values().stream().allMatch(InNetworkReduction::isRun);
    return isWorthIt && isAllowed ? new InNetworkReduction<>(refs, calls, reduction, ranks) : null;
  }

  private boolean isTree() {
    return isTree(reduction, ranks.size());
  }

  /** A tree needs more than two nodes; two of them can answer the caller directly. */
  private static boolean isTree(Reduction<?> reduction, int nodes) {
    return reduction.isTree() && nodes > 2;
  }

  private static boolean isRun(List<Integer> ranks) {
    return ranks.getLast() - ranks.getFirst() == ranks.size() - 1;
  }

  /**
   * Makes the call.
   *
   * @param asResults makes results, with locations for messages, of all members' answers
   * @param last applied to the combination
   */
  <R> CompletableFuture<R> combined(
      Function<List<FutureResult<V>>, Results<V>> asResults, Function<V, R> last) {
    var key = Collectives.current().newKey();
    var answers = ask(key);
    answers.forEach(FutureResult::claim);
    var all = asResults.apply(answers);
    FutureResult<R> combined =
        Collectives.current()
            .result(() -> "the combination of " + all, () -> ResultSources.all(answers));
    // The first member of a node answers for all members there, and in a tree the first member of
    // all answers for all nodes. It would never answer if another member failed before its turn, so
    // the answers of the other members are awaited first.
    var firsts = ranks.values().stream().map(List::getFirst).collect(Collectors.toSet());
    var others = IntStream.range(0, answers.size()).filter(rank -> !firsts.contains(rank));
    var ofNodes =
        isTree()
            ? firsts.stream().mapToInt(rank -> rank).filter(rank -> rank > 0)
            : IntStream.empty();
    Runnable next = () -> settle(combined, all, last);
    for (var heard : List.of(answers, of(ofNodes, answers), of(others, answers))) {
      var then = next;
      next =
          () ->
              asResults
                  .apply(heard)
                  .runWhenAll(
                      () -> {
                        var failure = all.failureNow();
                        if (failure == null) {
                          then.run();
                        } else {
                          fail(combined, failure, key);
                        }
                      });
    }
    next.run();
    return combined.asCompletableFuture();
  }

  private static <X> List<X> of(IntStream ranks, List<X> all) {
    return ranks.mapToObj(all::get).toList();
  }

  private <R> void settle(FutureResult<R> combined, Results<V> all, Function<V, R> last) {
    try {
      var whole =
          isTree()
              ? all.get(0)
              : reduction.combined(
                  ranks.values().stream().map(its -> all.get(its.getFirst())).toList());
      combined.settle(new Outcome.Success<>(last.apply(whole)));
    } catch (Throwable inOperation) {
      combined.settle(new Outcome.Failure<>(inOperation));
    }
  }

  private void fail(FutureResult<?> combined, Throwable failure, BodyExtension.Key key) {
    combined.settle(new Outcome.Failure<>(failure));
    var forgetting = Collectives.current().emptyCall().onward(new NodeCombiner.Discarding(key));
    forgetting.ask(refs, false).forEach(FutureResult::claim);
  }

  @SuppressWarnings("unchecked") // the recorder has shown that V is the method's result
  private List<FutureResult<V>> ask(BodyExtension.Key key) {
    Map<NodeId, Integer> counts = new HashMap<>();
    ranks.forEach((node, its) -> counts.put(node, its.size()));
    var tree =
        isTree()
            ? ranks.values().stream().<Ref<?>>map(its -> refs.get(its.getFirst())).toList()
            : List.<Ref<?>>of();
    var whole = new NodeCombiner<>(key, counts, tree, 0, reduction);
    List<GroupCall> onward = new ArrayList<>(calls.size());
    if (calls.stream().allMatch(each -> each == calls.getFirst())) {
      onward.addAll(Collections.nCopies(calls.size(), calls.getFirst().onward(whole)));
    } else {
      Map<NodeId, Integer> places = new HashMap<>();
      for (var rank = 0; rank < calls.size(); rank++) {
        var place = places.merge(refs.get(rank).node(), 1, Integer::sum) - 1;
        onward.add(calls.get(rank).onward(whole.at(place)));
      }
    }
    var answers = Collectives.current().askEach(onward, refs, true);
    return (List<FutureResult<V>>) (List<?>) answers;
  }
}
