package org.troupe.groups;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;

/**
 * Combines the answers of one node's members on that node: the first of them answers for all, the
 * others answer {@code null}. With a tree of nodes, the first member of all answers for all nodes,
 * and the first members of the other nodes answer {@code null} as well.
 *
 * @param call the key of the call, the same for all members
 * @param counts the number of members on each node
 * @param tree the first member of each node, if the nodes form a tree; else empty
 * @param first the index, among the members of its node, of the first member that gets this copy of
 *     the call; the others follow
 */
record NodeCombiner<V>(
    BodyExtension.Key call,
    Map<NodeId, Integer> counts,
    List<Ref<?>> tree,
    int first,
    Reduction<V> reduction)
    implements ReplyInterceptor {

  /** Returns a copy for a call that only one member gets. */
  NodeCombiner<V> at(int index) {
    return new NodeCombiner<>(call, counts, tree, index, reduction);
  }

  @Override
  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the answer of a call that gives V, perhaps nullable
  public @Nullable Object answered(int index, @Nullable Object answer) {
    var own = first + index;
    var answers = answers();
    var future = (FutureResult<V>) Futures.resultOf(answer);
    if (future == null) {
      answers.take(
          own, Collectives.current().copyOf((V) answer)); // the object may go on changing it
      return own == 0 ? ofNode(answers) : null;
    }
    future.claim();
    future.onSettled(outcome -> Thread.startVirtualThread(() -> take(answers, own, outcome)));
    return own == 0 ? ofNode(answers) : future; // so that its failure is reported as well
  }

  /** Returns the answer of the node's first member. */
  private CompletableFuture<V> ofNode(NodeAnswers<V> answers) {
    var combined = answers.combined();
    if (tree.isEmpty()) {
      return combined.asCompletableFuture();
    }
    var here = Collectives.current().currentNode();
    var place = IntStream.range(0, tree.size()).filter(i -> tree.get(i).node().equals(here));
    var node = new NodeTree<>(call, reduction, tree, place.findFirst().orElseThrow());
    Collectives.current().attachToNode(node);
    return node.answer(answers);
  }

  private void take(NodeAnswers<V> answers, int index, Outcome<V> outcome) {
    switch (outcome.settled()) {
      case Outcome.Success<V>(V value) -> answers.take(index, value);
      case Outcome.Failure<V>(Throwable cause) -> answers.fail(index == 0 ? cause : null);
      case Outcome.Encoded<V> encoded -> throw new AssertionError(encoded);
    }
  }

  @Override
  public Object failed(int index, Throwable failure) throws Throwable {
    answers().fail(null); // the member reports it itself
    throw failure;
  }

  @Override
  public boolean combinesOnNode() {
    return true;
  }

  private NodeAnswers<V> answers() {
    var here = Collectives.current().currentNode();
    var members = Objects.requireNonNull(counts.get(here), "the call has members on this node");
    return NodeAnswers.to(call, members, reduction);
  }

  /** Discards on each node the collected answers of a call that has failed. */
  record Discarding(BodyExtension.Key call) implements ReplyInterceptor {

    @Override
    public @Nullable Object answered(int index, @Nullable Object nothing) {
      NodeAnswers.discard(call);
      NodeTree.discard(call);
      return null;
    }

    @Override
    public boolean combinesOnNode() {
      return true;
    }
  }
}
