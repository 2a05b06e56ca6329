package org.troupe.groups;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/**
 * One node's part in a binomial tree of nodes: combines its value with those of its children and
 * sends the result to its parent; the root gets the whole.
 */
final class NodeTree<V> implements BodyExtension {

  /*
   * Shape and failures
   *
   * Node p is the parent of p + 1, p + 2, p + 4 and so on, each with a subtree as large as its
   * distance, as long as p is a multiple of twice that distance. So only neighbouring ranges are
   * combined, and operations need not be commutative. Packets go from node to node past the
   * members' queues, as members may be waiting for the result.
   *
   * Each node reports to the caller whether its own members have answered; if some have not, the
   * caller ends the reduction. The tree therefore reports only later failures: of an operation, and of
   * a node.
   */
  private static final long VALUE = 0;
  private static final long FAILURE = 1;

  private final Key call;
  private final Reduction<V> reduction;
  private final List<? extends Ref<?>> nodes; // one of its objects for each
  private final int index;
  private final int[] children;
  private final FutureResult<V> answer =
      Collectives.current().result(() -> "the combined answers of nodes");
  private final Map<Integer, V> parts = new HashMap<>(); // by index; guarded by this
  private boolean isOver; // guarded by this

  NodeTree(Key call, Reduction<V> reduction, List<? extends Ref<?>> nodes, int place) {
    this.call = call;
    this.reduction = reduction;
    this.nodes = nodes;
    this.index = place;
    this.children =
        IntStream.iterate(
                1, step -> (place & step) == 0 && place + step < nodes.size(), step -> step << 1)
            .map(step -> place + step)
            .toArray();
  }

  /**
   * Returns this node's answer to the caller: the combined value at the root; elsewhere {@code
   * null}, as soon as the node's own members have answered.
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
    if (index > 0) {
      answer.settle(Outcome.withoutValue());
    }
    take(index, own);
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
  public void received(int from, long tag, Packet packet) {
    if (IntStream.of(children).noneMatch(each -> each == from)) {
      return; // only a hostile peer sends this
    }
    Thread.startVirtualThread( // decoding and combining run user code
        () -> {
          try {
            @SuppressWarnings("unchecked") // the answer of a call that gives V
            var value = (V) packet.value();
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
        isOver = true; // the caller is lost, and no other node would end an incomplete tree
        return;
      }
      isMissed =
          IntStream.of(children)
              .anyMatch(each -> nodes.get(each).node().equals(node) && !parts.containsKey(each));
    }
    if (isMissed) {
      fail(why + "; the answers of its members were to be combined with others");
    }
  }

  private void take(int from, @Nullable V part) {
    synchronized (this) {
      parts.put(from, part);
      if (isOver || parts.size() <= children.length) {
        return;
      }
      isOver = true;
    }
    try {
      var sum = part(index);
      for (var each : children) {
        sum = reduction.op().apply(sum, part(each));
      }
      if (index == 0) {
        answer.settle(new Outcome.Success<>(sum));
      } else {
        send(VALUE, sum);
      }
    } catch (Throwable failure) {
      failed(describe(failure));
    } finally {
      parts.clear();
    }
  }

  /** Returns the part of a node; {@code null} if that is the value of an answer. */
  @SuppressWarnings("NullAway") // all parts are here, and V may be nullable
  private V part(int of) {
    return parts.get(of);
  }

  private String describe(Throwable failure) {
    return "node '"
        + nodes.get(index).node().name()
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
    if (index == 0) {
      answer.settle(new Outcome.Failure<>(new CollectiveException(why)));
    } else {
      send(FAILURE, why);
    }
  }

  private void send(long tag, Object what) {
    Collectives.current().sendToNode(nodes.get(index & index - 1), call, index, tag, what);
  }

  /** Discards the tree of a failed call; its caller already has the cause. */
  static void discard(Key call) {
    if (Collectives.current().detachFromNode(call) instanceof NodeTree<?> left) {
      left.fail("the combination has failed");
    }
  }
}
