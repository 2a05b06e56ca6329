package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.troupe.activeobjects.NodeId;

/**
 * Drives the protocol of moving through one random order of calls, moves, deliveries and deaths.
 *
 * <p>What is not in the tested classes is modelled on the package {@code moving}. A caller calls by
 * the route of its node's callers, which sends the call over the link or leaves that to an exchange
 * with the host, whose frames have their numbers among those of the link; or it has the body in
 * which the object is or was on its node: its calls enter the queue of that body, and follow the
 * object when that has left. The callers of a node that has not heard of the object's moves send
 * their calls to the body of its birth. A node forgets the earlier stays whose bodies have no
 * caller. A thread of its own forwards the queue of a body that the object has left; a message that
 * finds the queue empty may pass at once. A node takes grants, deaths and what it sends to itself
 * from one queue.
 */
final class MoveExplorer {

  /** A rule of the protocol that a run does without, to show that the check would miss it. */
  enum WithoutRule {
    NONE,
    MARK,
    REPEATED_MARK,
    VIEW,
    HOPS,
    LATE,
    ARRIVALS,
    ALL_ROUTES,
    EMPTY_PATH,
    PASSED_TAIL,
    PASSED_STAYS,
    FIRST_MOVE,
    NUMBERED_IN_ONE_STEP
  }

  /** What a run has ended with. */
  enum End {
    SOUND,
    STUCK,
    UNSERVED,
    ORDER_BROKEN,
    CALL_LOST,
    SERVED_AFTER_FAILURE,
    NO_HOST,
    STAYS_LEFT
  }

  private static final List<Integer> HOSTS = List.of(0, 1, 2, 6);
  private static final int COORDINATOR = 5;
  private static final int NODES = 7;
  private static final int CALLS = 10;
  private static final int CALLS_OF_GUESTS = 4;
  private static final int STEPS_WITH_NEW_CALLS = 260;
  private static final int MOST_STEPS = 2_600;
  private static final int MOST_REPEATS = 50;
  private static final String OBJECT = "object";

  /**
   * A caller.
   *
   * @param body the epoch of the body that it calls; {@link Route#OF_CALLERS} if it has none
   */
  private record Caller(int node, int body) {}

  /** A call, and its number among those of its caller. */
  private record Call(Caller caller, int number) {}

  /** An element of the queue of a body. */
  private sealed interface Queued {

    record Request(Call call) implements Queued {}

    /** A message that has come after the object has left. */
    record Passage(Runnable forward) implements Queued {}
  }

  /** A message on a link. */
  private record Delivery(int from, Runnable action) {}

  private final Random random;
  private final Random ways; // which calls are exchanged
  private final Random atOnce; // which messages pass an empty queue at once
  private final boolean withDeaths;
  private final WithoutRule without;
  private final boolean callersOnHosts;
  private final Map<Caller, Integer> made = new LinkedHashMap<>(); // the numbers of their calls
  private final Simulated[] nodes = new Simulated[NODES];
  private final Map<List<Integer>, Deque<Delivery>> links = new HashMap<>();
  private final PlaceDirectory<String> directory = new PlaceDirectory<>();
  private final Map<Caller, List<Integer>> served = new HashMap<>();
  private final Map<Caller, Set<Integer>> failed = new HashMap<>();
  private int deaths; // and the number of the view with the last one
  private boolean foundNoHost;
  private boolean servedAfterFailure;
  int mostHops;

  /** A body in which the object is or was in one epoch. */
  private final class Body implements Embodiment<Call> {
    private final Simulated node;
    private final int epoch;
    private final Deque<Queued> queue = new ArrayDeque<>();
    boolean serves;
    boolean hasLeft;

    Body(Simulated node, int epoch) {
      this.node = node;
      this.epoch = epoch;
    }

    boolean has(Call call) {
      return queue.contains(new Queued.Request(call));
    }

    /** Takes a call of a caller that has this body. */
    void put(Call call) {
      queue.add(new Queued.Request(call));
    }

    @Override
    public void take(Call call) {
      if (call.caller.node != node.index || node.expected.remove(call)) { // else it has failed
        put(call);
      }
    }

    @Override
    public void take(NodeId sender, Routed<Call> message) {
      if (queue.isEmpty() && atOnce.nextBoolean()) {
        node.whereabouts.forward(epoch, sender, message);
      } else {
        queue.add(new Queued.Passage(() -> node.whereabouts.forward(epoch, sender, message)));
      }
    }

    @Override
    public void depart() {
      hasLeft = true;
      queue.add(new Queued.Passage(() -> node.whereabouts.tailPassedOn(epoch)));
    }

    @Override
    public void resume() {
      serves = true;
    }

    /** Serves the oldest request, or forwards it. */
    void goOn() {
      switch (queue.remove()) {
        case Queued.Passage(Runnable forward) -> forward.run();
        case Queued.Request(Call call) when hasLeft -> follow(call);
        case Queued.Request(Call call) -> serve(call);
      }
    }

    private void serve(Call call) {
      servedAfterFailure |= failed.getOrDefault(call.caller, Set.of()).contains(call.number);
      served.computeIfAbsent(call.caller, each -> new ArrayList<>()).add(call.number);
      var caller = nodes[call.caller.node];
      if (caller != node) {
        post(node.index, caller.id, () -> caller.expected.remove(call));
      }
    }

    /** Lets a call follow the object. */
    private void follow(Call call) {
      var caller = nodes[call.caller.node];
      if (caller == node) {
        node.expected.add(call);
        node.whereabouts.sendAfter(epoch, call);
        return;
      }
      var place = node.whereabouts.placeAfter(epoch);
      post(
          node.index,
          caller.id,
          () -> {
            caller.relocated(Route.OF_CALLERS, place);
            caller.search();
          });
      node.whereabouts.passOn(epoch, call);
    }
  }

  private final class Simulated implements RelocationNetwork<Call> {
    final int index;
    final NodeId id;
    final ObjectWhereabouts<Call> whereabouts;
    final Map<Integer, Body> bodies = new TreeMap<>(); // by their epochs
    final Set<Call> expected = new LinkedHashSet<>(); // those that were sent and have no answer
    final Map<Integer, Simulated> announced = new TreeMap<>(); // deaths not applied, by their views
    final Set<NodeId> lost = new HashSet<>();
    boolean lives = true;
    boolean hasHeard; // of a move of the object
    int lastAnnounced;
    int lastLoss;
    final Deque<Runnable> unnumbered = new ArrayDeque<>(); // calls that are late
    private final Map<String, Long> marks = new HashMap<>();

    Simulated(int index, Place birthplace) {
      this.index = index;
      this.id = birthplace.node().incarnation() == index ? birthplace.node() : id(index);
      this.whereabouts =
          new ObjectWhereabouts<>(id, birthplace, this) {
            @Override
            boolean mustWait(Routed<Call> message) {
              return without != WithoutRule.VIEW && super.mustWait(message);
            }

            @Override
            boolean hasPassedDead(Routed<Call> message) {
              return without != WithoutRule.HOPS && super.hasPassedDead(message);
            }

            @Override
            boolean isLate(Residence<Call> residence, NodeId sender, Routed<Call> message) {
              return without != WithoutRule.LATE && super.isLate(residence, sender, message);
            }

            @Override
            boolean isEmpty(Route<Call> route) {
              return without == WithoutRule.EMPTY_PATH || super.isEmpty(route);
            }

            @Override
            boolean hasPassedTail(Route<Call> route, Place place) {
              return without == WithoutRule.PASSED_TAIL && place.epoch() > route.key() + 1
                  || super.hasPassedTail(route, place);
            }

            @Override
            boolean isPassed(Route<Call> route) {
              return without == WithoutRule.PASSED_STAYS || super.isPassed(route);
            }

            @Override
            List<Route<Call>> probedRoutes() {
              var all = super.probedRoutes();
              return without == WithoutRule.ALL_ROUTES ? all.subList(0, 1) : all;
            }
          };
    }

    /** Makes a call. */
    void call(Call call) {
      if (call.caller.body == Route.OF_CALLERS) {
        expected.add(call);
        if (!hasHeard) {
          post(index, id(0), () -> Objects.requireNonNull(nodes[0].bodies.get(0)).put(call));
        } else if (ways.nextBoolean() || !exchange(call)) {
          whereabouts.send(call);
        }
      } else {
        Objects.requireNonNull(bodies.get(call.caller.body), "the body of a caller").put(call);
      }
    }

    /** Forgets the earlier stays here whose bodies nothing refers to. */
    void forgetStays(boolean isEnding) {
      whereabouts.forgetStays(stay -> isNeeded(stay, isEnding)).forEach(bodies::remove);
    }

    private boolean isNeeded(int stay, boolean isEnding) {
      var body = Objects.requireNonNull(bodies.get(stay), "the body of a stay");
      var calls = made.getOrDefault(new Caller(index, stay), CALLS_OF_GUESTS);
      return stay == 0 || !body.queue.isEmpty() || calls < CALLS_OF_GUESTS && !isEnding;
    }

    /** Makes a call in an exchange, if the way is settled. */
    private boolean exchange(Call call) {
      var host = whereabouts.place().node();
      var message = whereabouts.sentTo(host, call);
      if (message == null) {
        return false;
      }
      if (without == WithoutRule.NUMBERED_IN_ONE_STEP) {
        unnumbered.add(() -> send(host, message));
      } else {
        send(host, message);
      }
      return true;
    }

    @Override
    public long view() {
      return announced.isEmpty() ? lastAnnounced : Collections.min(announced.keySet()) - 1;
    }

    @Override
    public long lastLoss() {
      return lastLoss;
    }

    @Override
    public boolean isLost(NodeId node) {
      return isDead(node);
    }

    @Override
    public boolean isDead(NodeId node) {
      return lost.contains(node);
    }

    @Override
    public void send(NodeId host, Routed<Call> message) {
      mostHops = Math.max(mostHops, message.hops().size());
      if (message.content() instanceof Routed.Content.Mark<Call> mark
          && without == WithoutRule.REPEATED_MARK
          && marks.merge(
                  "%s %d %d".formatted(mark.owner(), mark.route(), mark.number()), 1L, Long::sum)
              > 1
          && mark.owner().equals(id)
          && message.hops().isEmpty()) {
        return;
      }
      post(index, host, () -> arrive(host, message));
    }

    private void arrive(NodeId host, Routed<Call> message) {
      foundNoHost |= !node(host).whereabouts.arrive(id, message);
    }

    @Override
    public void sendRelocated(NodeId owner, int route, Place place) {
      post(
          index,
          owner,
          () -> {
            var other = node(owner);
            other.relocated(route, place);
            if (without == WithoutRule.MARK) {
              for (var mark = 1; mark <= STEPS_WITH_NEW_CALLS; mark++) {
                other.whereabouts.switched(route, mark, place);
              }
            }
          });
    }

    @Override
    public void sendSwitched(NodeId owner, Routed.Content.Mark<Call> mark, Place place) {
      post(
          index,
          owner,
          () -> {
            var other = node(owner);
            other.whereabouts.switched(mark.route(), mark.number(), place);
            other.failMissing();
          });
    }

    void relocated(int route, Place place) {
      hasHeard = true;
      whereabouts.relocated(route, place);
    }

    /** Takes an image; the grant of the move may follow. */
    void arrived(Body body, Simulated from) {
      var isFirstMove = body.epoch == 1 || without == WithoutRule.FIRST_MOVE;
      if (!hasHeard && isFirstMove) {
        whereabouts.callersBegin();
      }
      hasHeard = true;
      bodies.put(body.epoch, body);
      whereabouts.arrived(body.epoch, body, from.id);
    }

    /** Searches, after a death, for the calls of this node that are lost. */
    void search() {
      if (hasHeard && !lost.isEmpty() && !expected.isEmpty()) {
        whereabouts.probe();
      }
    }

    /** Asks the host which calls of this node it lacks. */
    private void failMissing() {
      if (lost.isEmpty() || expected.isEmpty() || !whereabouts.converges()) {
        return;
      }
      var place = whereabouts.place();
      if (!isDead(place.node())) {
        var calls = List.copyOf(expected);
        var required = lastLoss;
        post(index, place.node(), () -> node(place.node()).missing(this, calls, place, required));
      }
    }

    /** Answers a node which of its calls are lost, as soon as all that it has sent has arrived. */
    private void missing(Simulated caller, List<Call> calls, Place place, int required) {
      var body = bodies.get(place.epoch());
      if (body == null || body.hasLeft) {
        post(index, caller.id, () -> caller.chase());
      } else if (without != WithoutRule.ARRIVALS
          && (view() < required || whereabouts.holdsArrivals())) {
        post(index, id, () -> missing(caller, calls, place, required));
      } else {
        var missing = calls.stream().filter(each -> !body.has(each)).toList();
        post(index, caller.id, () -> missing.forEach(caller::fail));
      }
    }

    private void fail(Call call) {
      if (expected.remove(call)) {
        failed.computeIfAbsent(call.caller, each -> new HashSet<>()).add(call.number);
      }
    }

    /** Looks for an object that had left the node that was asked. */
    private void chase() {
      post(
          index,
          id(COORDINATOR),
          () -> {
            var place = directoryPlace();
            post(
                COORDINATOR,
                id,
                () -> {
                  relocated(Route.OF_CALLERS, place);
                  search();
                });
          });
    }

    @Override
    public void discard(Routed<Call> message) {
      throw new AssertionError("the host of the object does not die");
    }

    @Override
    public void requestPlace(int route) {
      post(
          index,
          id(COORDINATOR),
          () -> {
            var place = directoryPlace();
            post(
                COORDINATOR,
                id,
                () -> {
                  whereabouts.located(route, place);
                  failMissing();
                });
          });
    }
  }

  MoveExplorer(long seed, boolean withDeaths, boolean callersOnHosts, WithoutRule without) {
    random = new Random(seed);
    ways = new Random(~seed);
    atOnce = new Random(seed << 1);
    this.withDeaths = withDeaths;
    this.callersOnHosts = callersOnHosts;
    this.without = without;
    var birthplace = new Place(id(0), 0);
    for (var i = 0; i < NODES; i++) {
      nodes[i] = new Simulated(i, birthplace);
    }
    var born = new Body(nodes[0], 0);
    born.serves = true;
    nodes[0].hasHeard = true;
    nodes[0].bodies.put(0, born);
    nodes[0].whereabouts.born(0, born);
    if (callersOnHosts) {
      made.put(new Caller(0, 0), 0);
      made.put(new Caller(1, Route.OF_CALLERS), 0);
    } else {
      made.put(new Caller(4, Route.OF_CALLERS), 0);
    }
    made.put(new Caller(3, Route.OF_CALLERS), 0);
  }

  private static NodeId id(int index) {
    return new NodeId("n" + index, index);
  }

  private Simulated node(NodeId id) {
    return nodes[(int) id.incarnation()];
  }

  private Place directoryPlace() {
    var moved = directory.place(OBJECT);
    return moved == null ? new Place(id(0), 0) : moved;
  }

  private void post(int from, NodeId to, Runnable action) {
    var receiver = (int) to.incarnation();
    if (nodes[from].lives && nodes[receiver].lives) {
      links
          .computeIfAbsent(List.of(from, receiver), link -> new ArrayDeque<>())
          .add(new Delivery(from, action));
    }
  }

  /** Runs until nothing can happen any more, and checks what has. */
  End run() {
    var repeats = 0;
    for (var step = 0; step < MOST_STEPS; step++) {
      var isEnding = step > STEPS_WITH_NEW_CALLS;
      List<Runnable> possible = new ArrayList<>();
      addCalls(possible, isEnding);
      addLateCalls(possible);
      addDeliveries(possible);
      addLosses(possible);
      addServicesAndMoves(possible, isEnding);
      addForgetting(possible, isEnding);
      addDeaths(possible, isEnding);
      if (possible.isEmpty()) {
        if (repeats++ == MOST_REPEATS || without == WithoutRule.REPEATED_MARK) {
          break;
        }
        living().forEach(each -> each.whereabouts.repeatMarks());
        living().forEach(each -> each.forgetStays(true));
        continue;
      }
      possible.get(random.nextInt(possible.size())).run();
      if (foundNoHost && !withDeaths) {
        return End.NO_HOST;
      }
    }
    return check();
  }

  private List<Simulated> living() {
    var all = new ArrayList<Simulated>();
    for (var each : nodes) {
      if (each.lives) {
        all.add(each);
      }
    }
    return all;
  }

  private void addCalls(List<Runnable> possible, boolean isEnding) {
    made.forEach(
        (caller, number) -> {
          var most = caller.body > 0 ? CALLS_OF_GUESTS : CALLS;
          if (nodes[caller.node].lives && number < most && !isEnding) {
            possible.add(() -> call(caller));
          }
        });
  }

  private void addLateCalls(List<Runnable> possible) {
    for (var node : living()) {
      if (!node.unnumbered.isEmpty()) {
        possible.add(() -> node.unnumbered.remove().run());
      }
    }
  }

  private void call(Caller caller) {
    nodes[caller.node].call(new Call(caller, made.merge(caller, 1, Integer::sum)));
  }

  private void addDeliveries(List<Runnable> possible) {
    links.forEach(
        (link, queue) -> {
          if (!queue.isEmpty() && nodes[link.getLast()].lives) {
            Runnable deliver = () -> deliver(queue.remove(), nodes[link.getLast()]);
            possible.addAll(List.of(deliver, deliver, deliver));
          }
        });
  }

  /** A node takes losses in the order announced, and applies each on a thread of its own. */
  private void addLosses(List<Runnable> possible) {
    for (var node : living()) {
      node.announced.forEach((number, dead) -> possible.add(() -> lose(node, number, dead)));
    }
  }

  private void lose(Simulated node, int number, Simulated dead) {
    node.lastLoss = Math.max(node.lastLoss, number);
    node.lost.add(dead.id);
    node.announced.remove(number);
    node.hasHeard |= dead.index == 0; // and looks for the object from now on
    post(
        node.index,
        node.id,
        () -> {
          node.whereabouts.died(dead.id);
          node.search();
        });
  }

  private static void deliver(Delivery delivery, Simulated receiver) {
    if (!receiver.isDead(id(delivery.from))) {
      delivery.action.run();
    }
  }

  private void addServicesAndMoves(List<Runnable> possible, boolean isEnding) {
    for (var host : HOSTS) {
      var node = nodes[host];
      if (!node.lives) {
        continue;
      }
      for (var body : node.bodies.values()) {
        if ((body.serves || body.hasLeft) && !body.queue.isEmpty()) {
          possible.addAll(List.of(body::goOn, body::goOn));
        }
        if (!body.serves || isEnding) {
          continue;
        }
        for (var other : HOSTS) {
          if (!other.equals(host) && nodes[other].lives && !node.isDead(id(other))) {
            possible.add(() -> move(node, body, nodes[other]));
          }
        }
      }
    }
  }

  private void addForgetting(List<Runnable> possible, boolean isEnding) {
    for (var node : living()) {
      if (!isEnding && node.bodies.size() > 1 && random.nextInt(4) == 0) {
        possible.add(() -> node.forgetStays(false));
      }
    }
  }

  private void move(Simulated from, Body body, Simulated to) {
    body.serves = false;
    var epoch = body.epoch;
    from.whereabouts.depart(epoch, to.id);
    post(
        from.index,
        to.id,
        () -> {
          to.arrived(new Body(to, epoch + 1), from);
          post(to.index, from.id, () -> requestGrant(from, epoch, to));
        });
  }

  private void requestGrant(Simulated from, int epoch, Simulated to) {
    post(
        from.index,
        id(COORDINATOR),
        () -> {
          var here = new Place(from.id, epoch);
          if (from.lives && to.lives && directory.grant(OBJECT, here, to.id) != null) {
            announce(from, () -> from.whereabouts.departed(epoch, to.id));
            announce(to, () -> granted(to, new Place(to.id, epoch + 1)));
          }
        });
  }

  /** Handles the grant of a move on the new host. */
  private void granted(Simulated to, Place place) {
    to.whereabouts.granted(place.epoch());
    to.relocated(Route.OF_CALLERS, place);
    if (callersOnHosts && random.nextInt(3) == 0) {
      made.put(new Caller(to.index, place.epoch()), 0);
    }
  }

  /** Lets the coordinator announce something that a node puts behind what it sends to itself. */
  private void announce(Simulated node, Runnable action) {
    post(COORDINATOR, node.id, () -> post(node.index, node.id, action));
  }

  private void addDeaths(List<Runnable> possible, boolean isEnding) {
    if (!withDeaths || isEnding || deaths == 2 || random.nextDouble() >= 0.12) {
      return;
    }
    for (var host : HOSTS) {
      if (nodes[host].lives && !nodes[host].id.equals(directoryPlace().node())) {
        possible.add(() -> die(nodes[host]));
      }
    }
  }

  private void die(Simulated dead) {
    dead.lives = false;
    dead.bodies.clear();
    var number = ++deaths;
    for (var each : living()) {
      if (each.index != COORDINATOR) {
        post(COORDINATOR, each.id, () -> announced(each, number, dead));
      }
    }
    links.forEach(
        (link, queue) -> {
          if (link.getLast() == dead.index) {
            queue.clear();
          } else if (link.getFirst() == dead.index) { // what it had not sent yet is lost
            for (var left = random.nextInt(queue.size() + 1); queue.size() > left; ) {
              queue.removeLast();
            }
          }
        });
  }

  private static void announced(Simulated node, int number, Simulated dead) {
    node.announced.put(number, dead);
    node.lastAnnounced = number;
  }

  private boolean isLast(Body body) {
    return body.epoch == directoryPlace().epoch();
  }

  private End check() {
    for (var each : living()) {
      if (each.whereabouts.holdsMessages()) {
        return End.STUCK;
      }
      for (var body : each.bodies.values()) {
        if (!body.queue.isEmpty() || (isLast(body) && !body.serves)) {
          return End.UNSERVED;
        }
      }
      if (!each.expected.isEmpty()) {
        return End.CALL_LOST;
      }
      if (each.bodies.keySet().stream().filter(stay -> stay > 0).count() > 1) {
        return End.STAYS_LEFT;
      }
    }
    for (var caller : made.keySet()) {
      var numbers = served.getOrDefault(caller, List.of());
      for (var i = 1; i < numbers.size(); i++) {
        if (numbers.get(i) <= numbers.get(i - 1)) {
          return End.ORDER_BROKEN;
        }
      }
      var ended = new HashSet<>(failed.getOrDefault(caller, Set.of()));
      ended.addAll(numbers);
      if (nodes[caller.node].lives && ended.size() != made.get(caller)) {
        return End.CALL_LOST;
      }
    }
    return servedAfterFailure ? End.SERVED_AFTER_FAILURE : End.SOUND;
  }
}
