package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.troupe.activeobjects.NodeId;

/**
 * Drives the protocol of moving through one random order of calls, moves, deliveries and deaths.
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
    ARRIVALS
  }

  /** What a run has ended with. */
  enum End {
    SOUND,
    STUCK,
    UNSERVED,
    ORDER_BROKEN,
    CALL_LOST,
    SERVED_AFTER_FAILURE,
    NO_HOST
  }

  private static final List<Integer> HOSTS = List.of(0, 1, 2, 6);
  private static final int COORDINATOR = 5;
  private static final int NODES = 7;
  private static final int CALLS = 10;
  private static final int STEPS_WITH_NEW_CALLS = 260;
  private static final int MOST_STEPS = 2_600;
  private static final int MOST_REPEATS = 50;
  private static final String OBJECT = "object";

  /** A call: the node that makes it, and its number among the calls of that node. */
  private record Call(int caller, int number) {}

  /** A message on a link. */
  private record Delivery(int from, Runnable action) {}

  private final Random random;
  private final boolean withDeaths;
  private final WithoutRule without;
  private final List<Integer> callers;
  private final Simulated[] nodes = new Simulated[NODES];
  private final Map<List<Integer>, Deque<Delivery>> links = new HashMap<>();
  private final Map<NodeId, Long> deaths = new HashMap<>(); // by the views that have them
  private final PlaceDirectory<String> directory = new PlaceDirectory<>();
  private final Map<Integer, List<Integer>> served = new TreeMap<>();
  private final Map<Integer, Set<Integer>> failed = new TreeMap<>();
  private long view;
  private boolean foundNoHost;
  private boolean servedAfterFailure;
  int mostHops;

  /** An object as it is on one node in one epoch. */
  private static final class Queue implements Embodiment<Call> {
    private final ObjectWhereabouts<Call> whereabouts;
    private final int epoch;
    List<Call> image = List.of();
    Deque<Call> queue = new ArrayDeque<>();
    boolean serves;

    Queue(ObjectWhereabouts<Call> whereabouts, int epoch) {
      this.whereabouts = whereabouts;
      this.epoch = epoch;
    }

    @Override
    public void take(Call message) {
      queue.add(message);
    }

    @Override
    public void take(NodeId sender, Routed<Call> message) {
      whereabouts.forward(epoch, sender, message);
    }

    List<Call> freeze() {
      image = List.copyOf(queue);
      queue.clear();
      serves = false;
      return image;
    }

    @Override
    public void depart() {
      queue.forEach(each -> whereabouts.passOn(epoch, each));
      whereabouts.tailPassedOn(epoch);
    }

    @Override
    public void resume() {
      var all = new ArrayDeque<>(image);
      all.addAll(queue);
      queue = all;
      serves = true;
    }
  }

  private final class Simulated implements RelocationNetwork<Call> {
    final int index;
    final NodeId id;
    final ObjectWhereabouts<Call> whereabouts;
    final Map<Integer, Queue> objects = new TreeMap<>(); // by their epochs
    boolean lives = true;
    long applied;
    int made;
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
            boolean isLate(Residence<Call> residence, NodeId sender) {
              return without != WithoutRule.LATE && super.isLate(residence, sender);
            }
          };
    }

    @Override
    public long view() {
      return applied;
    }

    @Override
    public boolean isLost(NodeId node) {
      return isDead(node);
    }

    @Override
    public boolean isDead(NodeId node) {
      return deaths.getOrDefault(node, Long.MAX_VALUE) <= applied;
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
            var other = node(owner).whereabouts;
            other.relocated(route, place);
            if (without == WithoutRule.MARK) {
              for (var mark = 1; mark <= STEPS_WITH_NEW_CALLS; mark++) {
                other.switched(route, mark, place);
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
            other.failMissing(other.applied);
          });
    }

    /** Searches, after a death, for the calls of this node that are lost. */
    void search() {
      if (made > 0 && !deaths.isEmpty()) {
        whereabouts.probe();
      }
    }

    /** Asks the host which calls of this node it lacks. */
    private void failMissing(long requiredView) {
      var place = whereabouts.place();
      if (made > 0 && applied > 0 && !whereabouts.holdsMessages() && !isDead(place.node())) {
        var sent = made;
        post(
            index, place.node(), () -> node(place.node()).missing(this, sent, place, requiredView));
      }
    }

    /** Answers a node which of its calls are lost, as soon as all that it has sent has arrived. */
    private void missing(Simulated caller, int sent, Place place, long requiredView) {
      var object = objects.get(place.epoch());
      if (object == null) {
        post(index, caller.id, () -> caller.chase());
      } else if (without != WithoutRule.ARRIVALS
          && (applied < requiredView || whereabouts.holdsArrivals())) {
        post(index, id, () -> missing(caller, sent, place, requiredView));
      } else {
        for (var number = 1; number <= sent; number++) {
          var call = new Call(caller.index, number);
          if (!served.get(caller.index).contains(number)
              && !object.queue.contains(call)
              && !object.image.contains(call)) {
            failed.computeIfAbsent(caller.index, each -> new HashSet<>()).add(number);
          }
        }
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
                  whereabouts.relocated(Route.OF_CALLERS, place);
                  search();
                });
          });
    }

    @Override
    public void discard(Routed<Call> message) {
      throw new AssertionError("the host of the object does not die");
    }

    @Override
    public void sendTailEnd(NodeId host, int epoch) {
      post(index, host, () -> node(host).whereabouts.tailEnded(epoch));
    }

    @Override
    public void requestPlace(int route) {
      post(
          index,
          id(COORDINATOR),
          () -> {
            var place = directoryPlace();
            var number = view;
            post(
                COORDINATOR,
                id,
                () -> {
                  whereabouts.located(route, place, number);
                  failMissing(number);
                });
          });
    }
  }

  MoveExplorer(long seed, boolean withDeaths, boolean callersOnHosts, WithoutRule without) {
    random = new Random(seed);
    this.withDeaths = withDeaths;
    this.without = without;
    callers = callersOnHosts ? List.of(0, 1, 3) : List.of(3, 4);
    var birthplace = new Place(id(0), 0);
    for (var i = 0; i < NODES; i++) {
      nodes[i] = new Simulated(i, birthplace);
    }
    var born = new Queue(nodes[0].whereabouts, 0);
    born.serves = true;
    nodes[0].objects.put(0, born);
    nodes[0].whereabouts.born(0, born);
    callers.forEach(each -> served.put(each, new ArrayList<>()));
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
      addDeliveries(possible);
      addServicesAndMoves(possible, isEnding);
      addDeaths(possible, isEnding);
      if (possible.isEmpty()) {
        if (repeats++ == MOST_REPEATS || without == WithoutRule.REPEATED_MARK) {
          break;
        }
        living().forEach(each -> each.whereabouts.repeatMarks());
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
    for (var caller : callers) {
      var node = nodes[caller];
      if (node.lives && node.made < CALLS && !isEnding) {
        possible.add(() -> node.whereabouts.send(new Call(caller, ++node.made)));
      }
    }
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
      node.objects.forEach(
          (epoch, object) -> {
            if (!object.serves) {
              return;
            }
            if (!object.queue.isEmpty()) {
              Runnable serve = () -> serve(object.queue.remove());
              possible.addAll(List.of(serve, serve));
            }
            for (var other : HOSTS) {
              if (!isEnding
                  && !other.equals(host)
                  && nodes[other].lives
                  && !node.isDead(id(other))) {
                possible.add(() -> move(node, epoch, object, nodes[other]));
              }
            }
          });
    }
  }

  private void serve(Call call) {
    servedAfterFailure |= failed.getOrDefault(call.caller, Set.of()).contains(call.number);
    served.get(call.caller).add(call.number);
  }

  private void move(Simulated from, int epoch, Queue object, Simulated to) {
    var image = object.freeze();
    from.whereabouts.depart(epoch, to.id);
    post(
        from.index,
        to.id,
        () -> {
          var copy = new Queue(to.whereabouts, epoch + 1);
          copy.image = image;
          to.objects.put(epoch + 1, copy);
          to.whereabouts.arrived(epoch + 1, copy, from.id);
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
            post(
                COORDINATOR,
                from.id,
                () -> {
                  from.whereabouts.departed(epoch, to.id);
                  from.objects.remove(epoch);
                });
            post(COORDINATOR, to.id, () -> to.whereabouts.granted(epoch + 1));
          }
        });
  }

  private void addDeaths(List<Runnable> possible, boolean isEnding) {
    if (!withDeaths || isEnding || deaths.size() == 2 || random.nextDouble() >= 0.12) {
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
    dead.objects.clear();
    deaths.put(dead.id, ++view);
    nodes[COORDINATOR].applied = view;
    var number = view;
    for (var each : living()) {
      if (each.index != COORDINATOR) {
        post(
            COORDINATOR,
            each.id,
            () -> {
              each.applied = number;
              each.whereabouts.died(dead.id);
              each.search();
            });
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

  private End check() {
    for (var each : living()) {
      if (each.whereabouts.holdsMessages()) {
        return End.STUCK;
      }
      for (var object : each.objects.entrySet()) {
        if (object.getKey() == directoryPlace().epoch()
            && (!object.getValue().serves || !object.getValue().queue.isEmpty())) {
          return End.UNSERVED;
        }
      }
    }
    for (var caller : callers) {
      var numbers = served.get(caller);
      for (var i = 1; i < numbers.size(); i++) {
        if (numbers.get(i) <= numbers.get(i - 1)) {
          return End.ORDER_BROKEN;
        }
      }
      var lost = failed.getOrDefault(caller, Set.of()).size();
      if (nodes[caller].lives && numbers.size() + lost != nodes[caller].made) {
        return End.CALL_LOST;
      }
    }
    return servedAfterFailure ? End.SERVED_AFTER_FAILURE : End.SOUND;
  }
}
