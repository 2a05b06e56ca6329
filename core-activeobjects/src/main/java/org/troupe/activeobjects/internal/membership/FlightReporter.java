package org.troupe.activeobjects.internal.membership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.troupe.activeobjects.hosting.NodeActivity.PeerLine;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.flight.FlightSources;
import org.troupe.activeobjects.internal.object.NodeObjects;

/** What a node states once per second in recordings of the JDK Flight Recorder. */
final class FlightReporter implements FlightSources.Source {

  /*
   * A second of a recording may cost LONGEST_VISIT_NANOS. The visit goes on where the last one ended, so that a node with a million
   * objects states a part of them each second; the event has how many objects were looked at.
   */
  private static final long LONGEST_VISIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int PART = 1_024; // places of the table between two looks at the clock
  private static final int MOST_CLASSES = 100;

  private final NodeObjects node;
  private final Supplier<List<PeerLine>> peers;
  private final BooleanSupplier statesQueues;
  private int next; // of the recorder's thread: where the visit goes on

  /** The sums of a class. */
  private static final class Sum {
    private long objects;
    private long queued;
    private long longest;
    private long longestObject;
  }

  /**
   * Creates a reporter for one grid of the node.
   *
   * @param peers returns the traffic with the other nodes of the grid
   * @param statesQueues whether this one states the queues: the grids of a node share its objects
   */
  FlightReporter(NodeObjects node, Supplier<List<PeerLine>> peers, BooleanSupplier statesQueues) {
    this.node = node;
    this.peers = peers;
    this.statesQueues = statesQueues;
  }

  @Override
  public synchronized List<FlightSources.QueueState> queues() {
    if (!statesQueues.getAsBoolean()) {
      return List.of();
    }
    Map<Class<?>, Sum> sums = new HashMap<>();
    var began = System.nanoTime();
    var first = next;
    var hasWrapped = first == 0;
    do {
      next = node.exports().visit(next, PART, each -> add(each, sums));
      if (next == 0 && hasWrapped || next >= first && first != 0 && hasWrapped) {
        break;
      }
      hasWrapped |= next == 0;
    } while (System.nanoTime() - began < LONGEST_VISIT_NANOS);
    List<FlightSources.QueueState> states = new ArrayList<>();
    sums.forEach(
        (type, sum) ->
            states.add(
                new FlightSources.QueueState(
                    node.name(),
                    type.getName(),
                    sum.objects,
                    sum.queued,
                    sum.longest,
                    sum.longestObject)));
    states.sort(
        Comparator.comparingLong(FlightSources.QueueState::queued)
            .thenComparingLong(FlightSources.QueueState::objects)
            .reversed());
    return states.size() <= MOST_CLASSES ? states : states.subList(0, MOST_CLASSES);
  }

  private static void add(Body body, Map<Class<?>, Sum> sums) {
    if (body.type().isMiddleware() || body.hasLeft() || body.hasEnded()) {
      return;
    }
    var sum = sums.computeIfAbsent(body.type().type(), _ -> new Sum());
    var queued = body.queued();
    sum.objects++;
    sum.queued += queued;
    if (queued > sum.longest) {
      sum.longest = queued;
      sum.longestObject = body.identity();
    }
  }

  @Override
  public List<FlightSources.LinkState> links() {
    return peers.get().stream()
        .map(
            each ->
                new FlightSources.LinkState(
                    node.name(),
                    each.node(),
                    each.driver(),
                    each.messages(),
                    each.bytes(),
                    each.resets(),
                    each.roundTripNanos()))
        .toList();
  }
}
