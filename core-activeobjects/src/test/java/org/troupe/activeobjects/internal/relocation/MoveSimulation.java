package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.troupe.activeobjects.NodeId;

/**
 * Lets one object move among many nodes for some simulated time, while callers on some of them call
 * it once a second, and checks how often their calls are forwarded.
 */
final class MoveSimulation {

  private static final String OBJECT = "object";

  /** A call: the node that makes it, and its number among the calls of that node. */
  private record Call(int caller, int number) {}

  private final Random random;
  private final int nodeCount;
  private final List<Integer> callers = new ArrayList<>();
  private final Map<Integer, Participant> nodes = new HashMap<>(); // that know the object
  private final Deque<Runnable> network = new ArrayDeque<>(); // in the order sent
  private final PlaceDirectory<String> directory = new PlaceDirectory<>();
  private final Map<Integer, Integer> served = new HashMap<>(); // the last numbers, by the callers
  private final Map<Integer, Integer> movesAtLastCall = new HashMap<>(); // by the callers
  private Place place = new Place(id(0), 0);
  private int moves;
  private int forwarded; // how often the call under way was
  private int mostForwarded;

  /** The object on one node. */
  private final class Queue implements Embodiment<Call> {
    private final ObjectWhereabouts<Call> whereabouts;
    private final int epoch;

    Queue(ObjectWhereabouts<Call> whereabouts, int epoch) {
      this.whereabouts = whereabouts;
      this.epoch = epoch;
    }

    @Override
    public void take(Call message) {
      if (served.merge(message.caller, 1, Integer::sum) != message.number) {
        throw new AssertionError("call %s was served out of order".formatted(message));
      }
    }

    @Override
    public void take(NodeId sender, Routed<Call> message) {
      whereabouts.forward(epoch, sender, message);
    }

    @Override
    public void depart() {
      whereabouts.tailPassedOn(epoch); // the queue is empty
    }

    @Override
    public void resume() {}
  }

  /** A node. */
  private final class Participant implements RelocationNetwork<Call> {
    final NodeId id;
    final ObjectWhereabouts<Call> whereabouts;

    Participant(int index) {
      id = id(index);
      whereabouts = new ObjectWhereabouts<>(id, place, this);
    }

    @Override
    public long view() {
      return 0;
    }

    @Override
    public long lastLoss() {
      return 0;
    }

    @Override
    public boolean isDead(NodeId node) {
      return false;
    }

    @Override
    public boolean isLost(NodeId node) {
      return false;
    }

    @Override
    public void send(NodeId host, Routed<Call> message) {
      if (message.content() instanceof Routed.Content.Message<Call>) {
        forwarded = Math.max(forwarded, message.hops().size());
      }
      network.add(
          () -> {
            if (!node(host).whereabouts.arrive(id, message)) {
              throw new AssertionError("a message has come to a node that never had the object");
            }
          });
    }

    @Override
    public void sendRelocated(NodeId owner, int route, Place to) {
      network.add(() -> node(owner).whereabouts.relocated(route, to));
    }

    @Override
    public void sendSwitched(NodeId owner, Routed.Content.Mark<Call> mark, Place to) {
      network.add(() -> node(owner).whereabouts.switched(mark.route(), mark.number(), to));
    }

    @Override
    public void discard(Routed<Call> message) {
      throw new AssertionError("no node is lost");
    }

    @Override
    public void requestPlace(int route) {
      throw new AssertionError("no node is lost");
    }
  }

  MoveSimulation(long seed, int nodeCount, int callerCount) {
    random = new Random(seed);
    this.nodeCount = nodeCount;
    var birth = node(id(0)).whereabouts;
    birth.born(0, new Queue(birth, 0));
    for (var i = 0; i < callerCount; i++) {
      callers.add(random.nextInt(nodeCount));
    }
  }

  private static NodeId id(int index) {
    return new NodeId("n" + index, index);
  }

  private Participant node(NodeId id) {
    return nodes.computeIfAbsent((int) id.incarnation(), Participant::new);
  }

  /** Returns by how many nodes a call was forwarded at most. */
  int mostForwarded() {
    return mostForwarded;
  }

  int moves() {
    return moves;
  }

  /** Lets some seconds pass, in each of which the object moves with a probability. */
  void run(int seconds, double movesPerSecond) {
    for (var second = 0; second < seconds; second++) {
      if (random.nextDouble() < movesPerSecond) {
        move();
      }
      for (var caller : callers) {
        call(caller);
      }
    }
    for (var each : nodes.values()) {
      if (each.whereabouts.holdsMessages() || each.whereabouts.holdsArrivals()) {
        throw new AssertionError("messages are held on " + each.id);
      }
    }
  }

  private void call(int caller) {
    var number = served.getOrDefault(caller, 0) + 1;
    forwarded = 0;
    node(id(caller)).whereabouts.send(new Call(caller, number));
    quiesce();
    if (served.getOrDefault(caller, 0) != number) {
      throw new AssertionError("a call of node %d was not served".formatted(caller));
    }
    var since = moves - movesAtLastCall.getOrDefault(caller, 0);
    if (forwarded > since) {
      throw new AssertionError(
          "a call was forwarded %d times after %d moves".formatted(forwarded, since));
    }
    movesAtLastCall.put(caller, moves);
    mostForwarded = Math.max(mostForwarded, forwarded);
  }

  private void quiesce() {
    for (Runnable next; (next = network.poll()) != null; ) {
      next.run();
    }
  }

  private void move() {
    var to = id(random.nextInt(nodeCount));
    if (to.equals(place.node())) {
      return;
    }
    var epoch = place.epoch();
    var from = node(place.node()).whereabouts;
    var next = node(to).whereabouts;
    from.depart(epoch, to);
    next.arrived(epoch + 1, new Queue(next, epoch + 1), place.node());
    var granted = directory.grant(OBJECT, place, to);
    if (granted == null) {
      throw new AssertionError("the move was refused");
    }
    place = granted;
    from.departed(epoch, to);
    next.granted(epoch + 1);
    moves++;
    if (random.nextBoolean()) {
      quiesce(); // else the next calls meet the messages of the move
    }
  }
}
