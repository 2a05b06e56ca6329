package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.listing.GuestExplorer.WithoutRule;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.activeobjects.internal.relocation.Route;

/**
 * The nodes of {@link GuestExplorer}, the links between them, and the object: its references, its
 * calls, its moves, and the deaths of nodes.
 */
final class GuestGrid {

  static final int COORDINATOR = 0; // never dies, as the grid would end
  static final int BIRTH = 1; // never dies, as all are held then
  static final int NODES = 5;
  private static final String GRID = "grid";
  private static final String OBJECT = "object";

  /** A call of the object by a node. */
  record Call(int origin) {}

  /** A message on its way. */
  record Delivery(boolean isCopy, Runnable action) {}

  final Random random;
  final WithoutRule without;
  final List<GuestNode> nodes = new ArrayList<>();
  final Map<List<Integer>, Deque<Delivery>> links =
      new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
  final DepartedObject departed;
  final CallerNames names = new CallerNames(this);
  final ReleaseWaves waves = new ReleaseWaves(this);
  @Nullable GuestBody current; // the body in which the object is
  @Nullable GuestBody next; // in which it arrives
  boolean isCollected;
  boolean hasLostCall;
  boolean isWindingUp;
  int moves;
  int deathsSoFar;
  int lastHeldAgain; // the node that was to hold the object again last; 0 if none
  private final Random ways; // which calls are exchanged
  private final PlaceDirectory<String> directory = new PlaceDirectory<>();
  private final NodeDeaths deaths = new NodeDeaths(BIRTH);
  private final HostedCopies hosted = new HostedCopies(deaths);
  private long lastVersion;

  GuestGrid(Random random, Random ways, WithoutRule without) {
    this.random = random;
    this.ways = ways;
    this.without = without;
    departed =
        new DepartedObject(hosted, () -> ++lastVersion) {
          @Override
          boolean isUnchanged(Question asked) {
            return without == WithoutRule.NOTHING_LEARNT || super.isUnchanged(asked);
          }
        };
    for (var i = 0; i < NODES; i++) {
      nodes.add(new GuestNode(this, i, i == BIRTH ? departed.home() : newHold()));
    }
    var birthplace = nodes.get(BIRTH);
    var born = new GuestBody(birthplace, 0);
    born.serves = true;
    born.isReferred = true;
    birthplace.bodies.add(born);
    birthplace.where.born(0, born);
    birthplace.knowsMoves = true;
    current = born;
  }

  private GuestHold newHold() {
    return new GuestHold(() -> ++lastVersion) {
      @Override
      boolean isUnused(long known) {
        return without == WithoutRule.SAME_VERSION || super.isUnused(known);
      }
    };
  }

  static NodeId id(int index) {
    return new NodeId("n" + index, index);
  }

  Place place() {
    var moved = directory.place(OBJECT);
    return moved == null ? new Place(id(BIRTH), 0) : moved;
  }

  void post(int from, int to, Runnable action) {
    post(from, to, false, action);
  }

  void post(int from, int to, boolean isCopy, Runnable action) {
    if (nodes.get(from).lives && nodes.get(to).lives) {
      links
          .computeIfAbsent(List.of(from, to), _ -> new ArrayDeque<>())
          .add(new Delivery(isCopy, action));
    }
  }

  boolean isQuiet() {
    return links.values().stream().allMatch(Deque::isEmpty)
        && nodes.stream()
            .filter(each -> each.lives)
            .noneMatch(
                each ->
                    each.where.holdsMessages()
                        || each.bodies.stream().anyMatch(its -> !its.queue.isEmpty()));
  }

  void deliver(int from, GuestNode receiver, Deque<Delivery> queue) {
    var delivery = queue.remove();
    if (!receiver.isDead(id(from))) {
      delivery.action.run();
    }
  }

  /** Lets a body serve or forward the first element of its queue. */
  void goOn(GuestBody body) {
    body.queue.remove().run();
    body.node.changed();
  }

  // References

  void give(GuestNode from, GuestNode to) {
    if (from.index == BIRTH) {
      hosted.given(to.index);
      departed.learnt();
      if (from.here() != null && without != WithoutRule.GIFTS_HOLD) {
        departed.home().used();
      }
    } else {
      from.copies.given(to.index);
      if (without != WithoutRule.GIFTS_HOLD) {
        from.hold.used();
      }
    }
    sendCopy(from, to);
  }

  void sendCopy(GuestNode from, GuestNode to) {
    var place = place();
    post(from.index, to.index, true, () -> received(from, to, place));
  }

  private void received(GuestNode from, GuestNode to, Place place) {
    if (to.index == BIRTH) {
      var body = again();
      hosted.cameHome(from.index);
      departed.learnt();
      var home = to.here();
      (home == null ? body : home).isReferred = true;
      return;
    }
    to.copies.received(from.index);
    var guest = to.here();
    if (guest != null && guest.serves && !isCollected) {
      guest.isReferred = true;
      return;
    }
    to.refers = true;
    if (random.nextBoolean() && place.epoch() > 0 && place.node() != to.id) {
      to.relocated(Route.OF_CALLERS, place);
    }
  }

  /** Returns the first body of the birthplace, or the one that has succeeded it. */
  GuestBody again() {
    var body = nodes.get(BIRTH).bodies.getFirst();
    if (!body.isAlive() && body.hasLeft && without != WithoutRule.TAKEN_BACK) {
      holdAgain(departed.takeBack());
    }
    return body;
  }

  void holdAgain(long host) {
    if (host != 0 && without != WithoutRule.HELD_AGAIN) {
      lastHeldAgain = (int) host;
      post(BIRTH, lastHeldAgain, () -> nodes.get((int) host).hold.used());
    }
  }

  void call(GuestNode from) {
    var call = new Call(from.index);
    if (from.knowsMoves) {
      if (ways.nextBoolean() || !exchange(from, call)) {
        from.where.send(call);
      }
      from.changed();
      return;
    }
    post(
        from.index,
        BIRTH,
        () -> {
          again();
          nodes.get(BIRTH).bodies.getFirst().put(call);
        });
  }

  /** Makes a call in an exchange with the host, if the way is settled. */
  private boolean exchange(GuestNode from, Call call) {
    var host = from.where.place().node();
    var message = from.where.sentTo(host, call);
    if (message == null) {
      return false;
    }
    if (without == WithoutRule.HELD_UNTIL_NUMBERED) {
      from.unnumbered.add(() -> from.send(host, message));
    } else {
      from.send(host, message);
    }
    return true;
  }

  void tell(GuestNode node) {
    var changes = node.copies.takeChanges();
    if (changes != null) {
      post(
          node.index,
          BIRTH,
          () -> {
            hosted.told(node.index, changes);
            departed.learnt();
          });
    }
  }

  void clear(GuestNode node) {
    node.copies.cleared();
    var guest = node.here();
    if (guest != null && guest == current && node.hold.isHere()) {
      collect(guest);
    }
  }

  void collect(GuestBody guest) {
    if (isReferredTo(guest)) {
      hasLostCall = true;
    }
    guest.node.hold.left();
    isCollected = true;
  }

  private boolean isReferredTo(GuestBody guest) {
    for (var link : links.entrySet()) {
      var receiver = nodes.get(link.getKey().getLast());
      if (receiver.lives
          && !receiver.isDead(id(link.getKey().getFirst()))
          && link.getValue().stream().anyMatch(Delivery::isCopy)) {
        return true;
      }
    }
    return nodes.stream()
        .filter(each -> each.lives)
        .anyMatch(
            each ->
                each.refers
                    || each.hasName && !each.isUnconfirmed
                    || each.bodies.stream().anyMatch(its -> its != guest && its.isReferred));
  }

  // Moves

  void move(int to) {
    moves++;
    var body = Objects.requireNonNull(current);
    var from = body.node;
    var destination = nodes.get(to);
    from.where.depart(body.epoch, destination.id);
    next = new GuestBody(destination, body.epoch + 1);
    var arriving = next;
    if (without != WithoutRule.COPY_TAKEN_ALONG) {
      if (from.index == BIRTH) {
        hosted.given(to);
        departed.learnt();
        departed.home().used();
      } else {
        from.copies.given(to);
        from.hold.used();
      }
    }
    post(
        from.index,
        to,
        () -> {
          if (without != WithoutRule.COPY_TAKEN_ALONG) {
            if (to == BIRTH) {
              again();
              hosted.cameHome(from.index);
            } else {
              destination.copies.received(from.index);
            }
          }
          departed.learnt();
          destination.bodies.add(arriving);
          destination.hold.arrived();
          destination.where.arrived(arriving.epoch, arriving, from.id);
          post(to, from.index, () -> requestGrant(body, arriving));
        });
  }

  private void requestGrant(GuestBody from, GuestBody to) {
    post(
        from.node.index,
        COORDINATOR,
        () -> {
          directory.grant(OBJECT, new Place(from.node.id, from.epoch), to.node.id);
          announce(from.node, () -> from.node.where.departed(from.epoch, to.node.id));
          announce(to.node, () -> granted(to));
        });
  }

  private void announce(GuestNode node, Runnable action) {
    post(
        COORDINATOR,
        node.index,
        () ->
            post(
                node.index,
                node.index,
                () -> {
                  action.run();
                  node.changed();
                }));
  }

  private static void granted(GuestBody to) {
    to.node.where.granted(to.epoch);
    to.node.relocated(Route.OF_CALLERS, new Place(to.node.id, to.epoch));
  }

  // Deaths

  void die(GuestNode dead) {
    dead.lives = false;
    var view = ++deathsSoFar;
    for (var each : nodes) {
      if (each.lives) {
        post(
            COORDINATOR,
            each.index,
            () -> {
              each.announced.put(view, dead);
              each.lastAnnounced = view;
            });
      }
    }
    links.forEach(
        (link, queue) -> {
          if (link.getLast() == dead.index) {
            queue.clear();
          } else if (link.getFirst() == dead.index) { // what it had not sent yet is lost
            for (var count = random.nextInt(queue.size() + 1); count > 0; count--) {
              queue.removeLast();
            }
          }
        });
    waves.died(dead.index);
  }

  void apply(GuestNode node, int view, GuestNode dead) {
    if (node.index == BIRTH && without != WithoutRule.PINNED_AFTER_LOSS) {
      deaths.died(dead.index, GRID, view);
      hosted.died(dead.index);
      holdAgain(departed.pin());
    } else if (node.index == BIRTH) {
      deaths.left(dead.index);
      hosted.died(dead.index);
      departed.learnt();
    }
    node.lastLoss = Math.max(node.lastLoss, view);
    node.lost.add(dead.id);
    node.announced.remove(view);
    post(
        node.index,
        node.index,
        () -> {
          node.where.died(dead.id);
          node.changed();
        });
  }
}
