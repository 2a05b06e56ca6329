package org.troupe.groups;

import java.util.Map;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.activeobjects.spi.Onward;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;

/**
 * Combines the answers of the members of one node there: the first of them answers for all, the
 * others with {@code null}.
 *
 * @param call what all members of the group have in common
 * @param counts how many members each node has
 * @param first the place of the first member that gets this copy of the call, among those of its
 *     node; the others that get it follow
 */
record Combining<V>(
    Attachment.Key call, Map<NodeId, Integer> counts, int first, Reduction<V> reduction)
    implements Onward {

  /** The same for a call that only one member gets. */
  Combining<V> at(int place) {
    return new Combining<>(call, counts, place, reduction);
  }

  @Override
  @SuppressWarnings("unchecked") // the answer of a call that gives V
  public Object answered(int place, Object answer) {
    var own = first + place;
    var combiner = combiner();
    var future = (FutureResult<V>) Futures.resultOf(answer);
    if (future == null) {
      combiner.take(own, Onward.copyOf((V) answer)); // the object may go on changing it
      return own == 0 ? combiner.combined() : null;
    }
    future.claim();
    future.onSettled(outcome -> Thread.startVirtualThread(() -> take(combiner, own, outcome)));
    return own == 0 ? combiner.combined() : future; // its failure is to be seen, too
  }

  private void take(Combiner<V> combiner, int place, Outcome<V> outcome) {
    switch (outcome.settled()) {
      case Outcome.Success<V>(V value) -> combiner.take(place, value);
      case Outcome.Failure<V>(Throwable cause) -> combiner.fail(place == 0 ? cause : null);
      case Outcome.Encoded<V> encoded -> throw new AssertionError(encoded);
    }
  }

  @Override
  public Object failed(int place, Throwable failure) throws Throwable {
    combiner().fail(null); // it is told by the member itself
    throw failure;
  }

  private Combiner<V> combiner() {
    var node = Onward.here();
    return Combiner.of(call, node, counts.get(node), reduction);
  }

  /** Tells the nodes that a call has failed: what its answers have left there is of no use. */
  record Forgetting(Attachment.Key call) implements Onward {

    @Override
    public Object answered(int place, Object nothing) {
      Combiner.forget(call, Onward.here());
      return null;
    }
  }
}
