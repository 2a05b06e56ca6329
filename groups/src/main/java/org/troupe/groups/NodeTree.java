package org.troupe.groups;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/**
 * Combines what nodes have, as one of them does it: with what comes from those behind it in a
 * binomial tree, and on to the one before it; the first node has the whole in the end.
 */
final class NodeTree<V> implements BodyExtension {

  /*
   * Node p hears of p + 1, p + 2, p + 4 and so on, each of which stands for as many nodes as it is away, as long as p is a
   * multiple of twice that; so what is combined are always neighbours, and no operation needs to be commutative. Parcels go
   * from node to node, past the queues of members, which may wait for the very result.
   *
   * The caller hears from each node whether its own members have answered, and ends the whole if not. So all that this has to
   * tell is what happens afterwards: an operation that fails, a node that is lost.
   */
  private static final long VALUE = 0;
  private static final long FAILURE = 1;

  private final Key call;
  private final Reduction<V> reduction;
  private final List<? extends Ref<?>> nodes; // one of its objects for each
  private final int place;
  private final int[] behind;
  private final FutureResult<V> answer =
      Collectives.current().result(() -> "the combined answers of nodes");
  private final Map<Integer, V> parts = new HashMap<>(); // by place, under this
  private boolean isOver; // under this

  NodeTree(Key call, Reduction<V> reduction, List<? extends Ref<?>> nodes, int place) {
    this.call = call;
    this.reduction = reduction;
    this.nodes = nodes;
    this.place = place;
    this.behind =
        IntStream.iterate(
                1, step -> (place & step) == 0 && place + step < nodes.size(), step -> step << 1)
            .map(step -> place + step)
            .toArray();
  }

  /**
   * Returns what goes back to the caller: from the first node the whole, from others nothing as
   * soon as their own members have answered.
   */
  CompletableFuture<V> answer(NodeAnswers<V> members) {
    members
        .combined()
        .onSettled(
            combined -> Thread.startVirtualThread(() -> answered(combined, members.hasFailed())));
    return answer.asCompletableFuture();
  }

  private void answered(Outcome<V> combined, boolean hasFailed) {
    if (hasFailed || !(combined instanceof Outcome.Success<V>(V own))) {
      answer.settle(combined);
      return;
    }
    if (place > 0) {
      answer.settle(new Outcome.Success<>(null));
    }
    take(place, own);
  }

  @Override
  public Key key() {
    return call;
  }

  @Override
  public void attached(Ref<?> self) {}

  @Override
  public synchronized boolean isOver() {
    return isOver;
  }

  @Override
  public void received(int from, long tag, Parcel parcel) {
    if (IntStream.of(behind).noneMatch(each -> each == from)) {
      return; // it has made that up
    }
    Thread.startVirtualThread( // values and operations are the user's
        () -> {
          try {
            @SuppressWarnings("unchecked") // the answer of a call that gives V
            var value = (V) parcel.value();
            if (tag == VALUE) {
              take(from, value);
            } else {
              fail(String.valueOf(value));
            }
          } catch (Throwable failure) {
            fail(describe(failure));
          }
        });
  }

  @Override
  public void lost(NodeId node, String why) {
    boolean isMissed;
    synchronized (this) {
      if (node.incarnation() == call.origin()) {
        isOver = true; // nobody waits for it, nor would anybody end it if it cannot be complete
        return;
      }
      isMissed =
          IntStream.of(behind)
              .anyMatch(each -> nodes.get(each).node().equals(node) && !parts.containsKey(each));
    }
    if (isMissed) {
      fail(why + "; the answers of its members were to be combined with others");
    }
  }

  private void take(int from, V part) {
    synchronized (this) {
      parts.put(from, part);
      if (isOver || parts.size() <= behind.length) {
        return;
      }
      isOver = true;
    }
    try {
      var sum = parts.get(place);
      for (var each : behind) {
        sum = reduction.op().apply(sum, parts.get(each));
      }
      if (place == 0) {
        answer.settle(new Outcome.Success<>(sum));
      } else {
        tell(VALUE, sum);
      }
    } catch (Throwable failure) {
      failed(describe(failure));
    } finally {
      parts.clear();
    }
  }

  private String describe(Throwable failure) {
    return "node '"
        + nodes.get(place).node().name()
        + "' could not combine the answers of its members with those of others: "
        + failure;
  }

  private void fail(String why) {
    synchronized (this) {
      if (isOver) {
        return;
      }
      isOver = true;
    }
    failed(why);
  }

  private void failed(String why) {
    if (place == 0) {
      answer.settle(new Outcome.Failure<>(new CollectiveException(why)));
    } else {
      tell(FAILURE, why);
    }
  }

  private void tell(long tag, Object what) {
    Collectives.current().sendToNode(nodes.get(place & place - 1), call, place, tag, what);
  }

  /** Gives up what is left of a call, which has failed; its caller knows why. */
  static void forget(Key call) {
    if (Collectives.current().detachFromNode(call) instanceof NodeTree<?> left) {
      left.fail("the combination has failed");
    }
  }
}
