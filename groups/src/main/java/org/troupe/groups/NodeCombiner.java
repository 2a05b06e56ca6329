package org.troupe.groups;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;

/**
 * Combines the answers of the members of one node there: the first of them answers for all, the
 * others with {@code null}. Where there is a tree of nodes, the first member of all answers for all
 * nodes, and those of the others with {@code null}, too.
 *
 * @param call what all members of the group have in common
 * @param counts how many members each node has
 * @param tree the first member of each node, if these are a tree; else empty
 * @param first the index of the first member that gets this copy of the call, among those of its
 *     node; the others that get it follow
 */
record NodeCombiner<V>(
    BodyExtension.Key call,
    Map<NodeId, Integer> counts,
    List<Ref<?>> tree,
    int first,
    Reduction<V> reduction)
    implements ReplyInterceptor {

  /** The same for a call that only one member gets. */
  NodeCombiner<V> at(int index) {
    return new NodeCombiner<>(call, counts, tree, index, reduction);
  }

  @Override
  @SuppressWarnings("unchecked") // the answer of a call that gives V
  public Object answered(int index, Object answer) {
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
    return own == 0 ? ofNode(answers) : future; // its failure is to be seen, too
  }

  /** What the first member answers. */
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
    answers().fail(null); // it is told by the member itself
    throw failure;
  }

  private NodeAnswers<V> answers() {
    return NodeAnswers.to(call, counts.get(Collectives.current().currentNode()), reduction);
  }

  /** Tells the nodes that a call has failed: what its answers have left there is of no use. */
  record Forgetting(BodyExtension.Key call) implements ReplyInterceptor {

    @Override
    public Object answered(int index, Object nothing) {
      NodeAnswers.forget(call);
      NodeTree.forget(call);
      return null;
    }
  }
}
