package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.Embodiment;
import org.troupe.activeobjects.internal.relocation.ObjectWhereabouts;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.PlaceDirectory;
import org.troupe.activeobjects.internal.relocation.RelocationNetwork;
import org.troupe.activeobjects.internal.relocation.Route;
import org.troupe.activeobjects.internal.relocation.Routed;

/**
 * Drives the collection of an object that moves through one random order of moves, gifts, one-way
 * calls, drops, waves, deliveries and deaths. The object also calls other nodes, which may make
 * references of their caller, and nodes decode references from images.
 *
 * <p>The classes of the listing and of the moves are the real ones. What is not in them is modelled
 * on {@code ExportedBodies}, {@code RemoteObjects}, and the package {@code moving}: a node sends
 * its calls to the birthplace until it has heard that the object has moved; a reference stands for
 * a body of its node, or for the object elsewhere; and a body is alive while something refers to
 * it, or something is in its queue.
 */
final class GuestExplorer {

  /** A rule of the protocol that a run does without. */
  enum WithoutRule {
    NONE,
    COPY_TAKEN_ALONG,
    REPORT_BEFORE_ANSWER(14_843),
    SAME_VERSION(50_498),
    VERSION_BEFORE_MARKS,
    GIFTS_HOLD(3_331),
    OWN_MESSAGES_HOLD,
    NOTHING_LEARNT(6_431),
    BODIES_AT_BIRTH,
    MARKS(1_307),
    MARKS_BEHIND_QUEUES,
    IDLE_ROUTES(34_259),
    MARKS_OF_BIRTHPLACE,
    MARKS_OF_BIRTHPLACE_LAST,
    PINNED_AFTER_LOSS,
    CALLER_HELD(151),
    NAMES_PIN(2_987),
    HELD_AGAIN(305),
    COPIES_ON_THEIR_WAY(12_460),
    TAKEN_BACK(4_915),
    HELD_UNTIL_NUMBERED(35_284);

    /** A seed whose run fails without the rule; the search begins there. */
    final long firstSeed;

    WithoutRule() {
      this(0);
    }

    WithoutRule(long firstSeed) {
      this.firstSeed = firstSeed;
    }
  }

  /** What a run has ended with. */
  enum End {
    /** The object was collected when it was not needed any more, or it is held for good. */
    SOUND,
    /** The object was collected while a node had a reference, or a call was on its way. */
    TOO_EARLY,
    /** The object was never collected. */
    NEVER
  }

  private static final int COORDINATOR = 0; // never dies, as the grid would end
  private static final int BIRTH = 1; // never dies, as all are held then
  private static final int NODES = 5;
  private static final int STEPS = 250;
  private static final int MOST_STEPS = 6_000;
  private static final int MOST_MOVES = 5;
  private static final int RARELY = 8;
  private static final int SLOWLY = 20; // a link or a body in most runs
  private static final int VERY_SLOWLY = 400; // a node tells of changes
  private static final int LAST_STEPS = 400; // of a run whose object is held for good
  private static final long NOT_NOW = -1;
  private static final String GRID = "grid";
  private static final String OBJECT = "object";

  private record Call(int origin) {}

  private record Delivery(boolean isCopy, Runnable action) {}

  private final Random random;
  private final Random ways; // which calls are exchanged
  private final WithoutRule without;
  private final boolean hasNames;
  private final boolean hasDeaths;
  private final List<Integer> slowLink;
  private final int slowNode; // whose bodies forward slowly
  private final int lateTeller; // of changes
  private final int calls; // how often a reference is used
  private final int drops; // how often something is dropped, compared with other actions
  private final List<Simulated> nodes = new ArrayList<>();
  private final Map<List<Integer>, Deque<Delivery>> links =
      new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
  private final PlaceDirectory<String> directory = new PlaceDirectory<>();
  private final NodeDeaths deaths = new NodeDeaths(BIRTH);
  private final HostedCopies hosted = new HostedCopies(deaths);
  private final DepartedObject departed;
  private @Nullable Body current; // the body in which the object is
  private @Nullable Body next; // in which it arrives
  private boolean isCollected;
  private boolean hasLostCall;
  private boolean isWindingUp;
  private int moves;
  private int deathsSoFar;
  private int lastSteps;
  private long lastVersion;
  private int lastHeldAgain; // the node that was to hold the object again last; 0 if none

  // The wave that lasts
  private DepartedObject.@Nullable Question question;
  private final Set<Integer> unanswered = new HashSet<>();
  private boolean isRefused;
  private boolean hasAskedItself;
  private long version;
  private int wave;

  /** A body in which the object is or was. */
  private final class Body implements Embodiment<Call> {
    final Simulated node;
    final int epoch;
    final Deque<Runnable> queue = new ArrayDeque<>();
    boolean isReferred; // by user code of its node
    boolean serves;
    boolean hasLeft;
    boolean isForgotten;
    boolean isHeld; // for a node that has made a reference of its name
    int calls; // of the object, that are not answered

    Body(Simulated node, int epoch) {
      this.node = node;
      this.epoch = epoch;
    }

    boolean isAlive() {
      return isReferred || isHeld || !queue.isEmpty() || calls > 0;
    }

    boolean isFormer() {
      return hasLeft && epoch > 0 && epoch < node.lastStay().epoch;
    }

    /** Takes a call by this body, or one that has come to the birthplace. */
    void put(Call call) {
      queue.add(() -> serve(call));
    }

    private void serve(Call call) {
      if (!hasLeft) {
        return;
      }
      if (call.origin == node.index) {
        node.where.sendAfter(epoch, call);
      } else {
        var place = node.where.placeAfter(epoch);
        var caller = nodes.get(call.origin);
        post(node.index, call.origin, () -> caller.relocated(Route.OF_CALLERS, place));
        node.where.passOn(epoch, call);
      }
    }

    @Override
    public void take(Call call) {
      if (isCollected && this == current) {
        hasLostCall |= nodes.get(call.origin).lives;
      } else {
        put(call);
      }
    }

    @Override
    public void take(NodeId sender, Routed<Call> message) {
      if (isAlive()) {
        queue.add(() -> node.where.forward(epoch, sender, message));
      } else {
        node.where.forward(epoch, sender, message);
      }
    }

    @Override
    public void depart() {
      hasLeft = true;
      node.hold.left();
      queue.add(() -> node.where.tailPassedOn(epoch));
      current = next;
    }

    @Override
    public void resume() {
      serves = true;
      if (current == this) {
        next = null;
      }
    }
  }

  private final class Simulated implements RelocationNetwork<Call> {
    final int index;
    final NodeId id;
    final ObjectWhereabouts<Call> where;
    final HeldCopies copies =
        new HeldCopies() {
          @Override
          public boolean areAll(int given) {
            return without == WithoutRule.COPIES_ON_THEIR_WAY || super.areAll(given);
          }
        };
    final GuestHold hold;
    final List<Body> bodies = new ArrayList<>();
    final List<Integer> toServe = new ArrayList<>(); // calls of the object, by their epochs
    final List<Integer> served = new ArrayList<>(); // those that were answered
    final Deque<Runnable> unnumbered = new ArrayDeque<>(); // calls whose caller is forgotten
    final Set<NodeId> lost = new HashSet<>();
    final Map<Integer, Simulated> announced = new TreeMap<>(); // deaths, by their views
    int lastAnnounced;
    int lastLoss;
    boolean lives = true;
    boolean knowsMoves;
    boolean refers; // user code refers to the object, by no body
    boolean hasName; // it has made a reference of a name, which nothing counts
    boolean isUnconfirmed; // that reference: the object may be gone
    private @Nullable Runnable flush; // that lasts: what ends it

    Simulated(int index, GuestHold hold) {
      this.index = index;
      this.id = id(index);
      this.hold = hold;
      this.where = new ObjectWhereabouts<>(id, new Place(id(BIRTH), 0), this);
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
    public boolean isDead(NodeId node) {
      return lost.contains(node);
    }

    @Override
    public boolean isLost(NodeId node) { // a moment before, too
      return isDead(node) || announced.values().stream().anyMatch(each -> each.id.equals(node));
    }

    @Override
    public void send(NodeId host, Routed<Call> message) {
      if (message.content() instanceof Routed.Content.Message
          && without != WithoutRule.OWN_MESSAGES_HOLD) {
        hold.used();
      }
      var receiver = (int) host.incarnation();
      post(index, receiver, () -> nodes.get(receiver).arrive(id, message));
    }

    private void arrive(NodeId sender, Routed<Call> message) {
      where.arrive(sender, message);
      changed();
    }

    @Override
    public void sendRelocated(NodeId owner, int route, Place place) {
      var receiver = (int) owner.incarnation();
      post(index, receiver, () -> nodes.get(receiver).relocated(route, place));
    }

    void relocated(int route, Place place) {
      knowsMoves = true;
      where.relocated(route, place);
      changed();
    }

    @Override
    public void sendSwitched(NodeId owner, Routed.Content.Mark<Call> mark, Place place) {
      var receiver = (int) owner.incarnation();
      post(
          index,
          receiver,
          () -> {
            var its = nodes.get(receiver);
            its.where.switched(mark.route(), mark.number(), place);
            its.changed();
          });
    }

    @Override
    public void discard(Routed<Call> message) {
      throw new AssertionError("the object is not lost while the run goes on");
    }

    @Override
    public void requestPlace(int route) {
      post(
          index,
          COORDINATOR,
          () -> {
            var place = place();
            post(
                COORDINATOR,
                index,
                () -> {
                  where.located(route, place);
                  changed();
                });
          });
    }

    /** Ends a flush when no mark is on its way. */
    void changed() {
      if (flush != null && !where.awaitsMarks()) {
        var done = flush;
        flush = null;
        done.run();
      }
    }

    @Nullable Body here() {
      return bodies.stream().filter(each -> !each.hasLeft).findFirst().orElse(null);
    }

    /** Returns whether something of this node refers to a body that the object has left. */
    boolean isReferredTo() {
      return bodies.stream().anyMatch(each -> each.hasLeft && each.isAlive());
    }

    /** Returns the last body in which the object was granted to be here. */
    Body lastStay() {
      return bodies.stream().filter(each -> each.serves || each.hasLeft).toList().getLast();
    }

    boolean mayForgetStays() {
      return bodies.stream().anyMatch(each -> each.isFormer() && !each.isForgotten);
    }

    void forgetStays() {
      var last = lastStay();
      where
          .forgetStays(stay -> stay == 0 || isNeeded(body(stay), last))
          .forEach(stay -> body(stay).isForgotten = true);
      changed();
    }

    private Body body(int stay) {
      return bodies.stream().filter(each -> each.epoch == stay).findFirst().orElseThrow();
    }

    private static boolean isNeeded(Body left, Body last) {
      if (left.isHeld && (!last.hasLeft || last.isAlive())) { // the later one holds the copy
        last.isHeld = true;
        left.isHeld = false;
      }
      return left.isAlive();
    }

    /** Returns whether the JVM can clear all that there is of the object. */
    boolean mayClear() {
      return !refers
          && !hold.holds()
          && bodies.stream().noneMatch(each -> each.isAlive() || isMoving(each));
    }

    private boolean isMoving(Body body) {
      return !body.hasLeft && (!body.serves || body == current && next != null);
    }
  }

  GuestExplorer(long seed, WithoutRule without) {
    random = new Random(seed);
    ways = new Random(~seed);
    this.without = without;
    hasNames = random.nextInt(3) == 0;
    hasDeaths = random.nextInt(3) == 0;
    slowLink = List.of(random.nextInt(NODES), random.nextInt(NODES));
    slowNode = random.nextInt(NODES);
    lateTeller = random.nextInt(NODES);
    calls = 1 + random.nextInt(5);
    drops = 1 + random.nextInt(4);
    departed =
        new DepartedObject(hosted, () -> ++lastVersion) {
          @Override
          boolean isUnchanged(Question asked) {
            return without == WithoutRule.NOTHING_LEARNT || super.isUnchanged(asked);
          }
        };
    for (var i = 0; i < NODES; i++) {
      nodes.add(new Simulated(i, i == BIRTH ? departed.home() : newHold()));
    }
    var birthplace = nodes.get(BIRTH);
    var born = new Body(birthplace, 0);
    born.serves = true;
    born.isReferred = true;
    birthplace.bodies.add(born);
    birthplace.where.born(0, born);
    birthplace.knowsMoves = true;
    current = born;
    move(2 + random.nextInt(NODES - 2));
  }

  private GuestHold newHold() {
    return new GuestHold(() -> ++lastVersion) {
      @Override
      boolean isUnused(long known) {
        return without == WithoutRule.SAME_VERSION || super.isUnused(known);
      }
    };
  }

  private static NodeId id(int index) {
    return new NodeId("n" + index, index);
  }

  private Place place() {
    var moved = directory.place(OBJECT);
    return moved == null ? new Place(id(BIRTH), 0) : moved;
  }

  private void post(int from, int to, Runnable action) {
    post(from, to, false, action);
  }

  private void post(int from, int to, boolean isCopy, Runnable action) {
    if (nodes.get(from).lives && nodes.get(to).lives) {
      links
          .computeIfAbsent(List.of(from, to), _ -> new ArrayDeque<>())
          .add(new Delivery(isCopy, action));
    }
  }

  // A run

  End run() {
    for (var step = 0; step < MOST_STEPS; step++) {
      isWindingUp = step >= STEPS;
      if (hasLostCall) {
        return End.TOO_EARLY;
      }
      if (isCollected && (isQuiet() || ++lastSteps > LAST_STEPS)
          || departed.isPinned() && isWindingUp && ++lastSteps > LAST_STEPS) {
        return End.SOUND;
      }
      var actions = actions(!isWindingUp);
      if (actions.isEmpty()) {
        actions = actions(false);
      }
      if (actions.isEmpty()) {
        return departed.isPinned() || isCollected ? End.SOUND : End.NEVER;
      }
      actions.get(random.nextInt(actions.size())).run();
    }
    return departed.isPinned() || isCollected ? End.SOUND : End.NEVER;
  }

  private boolean isQuiet() {
    return links.values().stream().allMatch(Deque::isEmpty)
        && nodes.stream()
            .filter(each -> each.lives)
            .noneMatch(
                each ->
                    each.where.holdsMessages()
                        || each.bodies.stream().anyMatch(its -> !its.queue.isEmpty()));
  }

  private boolean isRare() {
    return random.nextInt(RARELY) == 0;
  }

  private static void repeat(int count, Runnable action) {
    for (var i = 0; i < count; i++) {
      action.run();
    }
  }

  /**
   * Returns what can happen next.
   *
   * @param maySkip whether something slow may be left out
   */
  private List<Runnable> actions(boolean maySkip) {
    List<Runnable> actions = new ArrayList<>();
    links.forEach(
        (link, queue) -> {
          var receiver = nodes.get(link.getLast());
          var isSkipped = maySkip && link.equals(slowLink) && random.nextInt(SLOWLY) != 0;
          if (!queue.isEmpty() && receiver.lives && !isSkipped) {
            repeat(3, () -> actions.add(() -> deliver(link.getFirst(), receiver, queue)));
          }
        });
    for (var node : nodes) {
      if (node.lives) {
        addActions(actions, node, maySkip);
      }
    }
    var host = current;
    if (!isCollected && host != null && host.serves && next == null) {
      addActionsOfObject(actions, host);
    }
    var hasLeft = nodes.get(BIRTH).bodies.getFirst().hasLeft;
    if (hasLeft && question == null && departed.question() != null && !isCollected) {
      repeat(3, () -> actions.add(this::ask));
    }
    return actions;
  }

  private void addActions(List<Runnable> actions, Simulated node, boolean maySkip) {
    if (!isWindingUp) {
      addUses(actions, node);
    }
    for (var body : node.bodies) {
      var isSkipped = maySkip && node.index == slowNode && random.nextInt(SLOWLY) != 0;
      if (!isSkipped
          && !body.queue.isEmpty()
          && (body.serves || body.hasLeft)
          && !node.isMoving(body)) {
        repeat(2, () -> actions.add(() -> goOn(body)));
      }
      if (body.isReferred) {
        repeat(drops, () -> actions.add(() -> body.isReferred = false));
      }
    }
    if (node.refers) {
      repeat(drops, () -> actions.add(() -> node.refers = false));
    }
    if (node.hasName) {
      actions.add(() -> node.hasName = false);
    }
    var tellsLate = maySkip && node.index == lateTeller && random.nextInt(VERY_SLOWLY) != 0;
    if (node.index != BIRTH && node.copies.hasChanges() && !tellsLate) {
      actions.add(() -> tell(node));
    }
    if (node.index != BIRTH && node.mayClear() && (!node.copies.isOver() || node.hold.isHere())) {
      repeat(2 * drops, () -> actions.add(() -> clear(node)));
    }
    node.announced.forEach((view, dead) -> actions.add(() -> apply(node, view, dead)));
    if (hasDeaths && node.where.awaitsMarks() && isRare() && isRare()) {
      actions.add(node.where::repeatMarks); // a forwarder may have died
    }
    if (!node.unnumbered.isEmpty()) {
      actions.add(() -> node.unnumbered.remove().run());
    }
    if (node.mayForgetStays() && isRare()) {
      actions.add(node::forgetStays);
    }
    if (!node.toServe.isEmpty()) {
      actions.add(() -> serve(node));
    }
  }

  private void addUses(List<Runnable> actions, Simulated node) {
    var isUsable = node.refers || node.hasName && !node.isUnconfirmed;
    for (var to : nodes) {
      if (to != node && to.lives && !node.isDead(to.id)) {
        if (node.refers && random.nextBoolean()) {
          actions.add(() -> give(node, to));
        }
        if (node.hasName && !node.isUnconfirmed && isRare()) {
          actions.add(() -> sendCopy(node, to)); // which is not counted
        }
        for (var body : node.bodies) {
          if (body.isReferred && random.nextBoolean()) {
            actions.add(() -> give(node, to));
          }
        }
      }
    }
    if (isUsable) {
      repeat(calls, () -> actions.add(() -> call(node)));
    }
    for (var body : node.bodies) {
      if (body.isReferred && !(isCollected && body == current)) {
        actions.add(() -> body.put(new Call(node.index)));
      }
    }
    if (hasNames && isRare() && isRare()) {
      actions.add(() -> decode(node));
    }
    if (hasNames && !node.served.isEmpty() && isRare()) {
      actions.add(() -> referToCaller(node, node.served.getFirst(), true));
    }
    var isFree = current != null && current.node != node && (next == null || next.node != node);
    if (hasDeaths && node.index > BIRTH && isFree && deathsSoFar < 2 && isRare()) {
      actions.add(() -> die(node));
    }
  }

  private void addActionsOfObject(List<Runnable> actions, Body host) {
    var node = host.node;
    var isHeld = node.hold.holds() || host.isAlive() || node.refers || host.epoch == 0;
    if (!isWindingUp && isHeld) {
      if (moves < MOST_MOVES && isRare()) {
        var to = destination();
        if (to != node.index && nodes.get(to).lives && !node.isDead(id(to))) {
          repeat(5, () -> actions.add(() -> move(to)));
        }
      }
      var callee = nodes.get(random.nextInt(NODES));
      if (hasNames && isRare() && callee != node && callee.lives && !node.isDead(callee.id)) {
        actions.add(() -> callOut(host, callee));
      }
    }
    if (node.index == BIRTH && host.epoch > 0 && !node.hold.holds() && !host.isAlive()) {
      repeat(2 * drops, () -> actions.add(() -> collect(host)));
    }
  }

  /** Returns where the object moves, more often to a node that has a reference. */
  private int destination() {
    var to = 1 + random.nextInt(NODES - 1);
    return nodes.get(to).refers ? to : 1 + random.nextInt(NODES - 1);
  }

  private void deliver(int from, Simulated receiver, Deque<Delivery> queue) {
    var delivery = queue.remove();
    if (!receiver.isDead(id(from))) {
      delivery.action.run();
    }
  }

  /** Lets a body serve or forward the first element of its queue. */
  private void goOn(Body body) {
    body.queue.remove().run();
    body.node.changed();
  }

  // References

  private void give(Simulated from, Simulated to) {
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

  private void sendCopy(Simulated from, Simulated to) {
    var place = place();
    post(from.index, to.index, true, () -> received(from, to, place));
  }

  private void received(Simulated from, Simulated to, Place place) {
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
  private Body again() {
    var body = nodes.get(BIRTH).bodies.getFirst();
    if (!body.isAlive() && body.hasLeft && without != WithoutRule.TAKEN_BACK) {
      holdAgain(departed.takeBack());
    }
    return body;
  }

  private void holdAgain(long host) {
    if (host != 0 && without != WithoutRule.HELD_AGAIN) {
      lastHeldAgain = (int) host;
      post(BIRTH, lastHeldAgain, () -> nodes.get((int) host).hold.used());
    }
  }

  private void call(Simulated from) {
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
  private boolean exchange(Simulated from, Call call) {
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

  private void tell(Simulated node) {
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

  private void clear(Simulated node) {
    node.copies.cleared();
    var guest = node.here();
    if (guest != null && guest == current && node.hold.isHere()) {
      collect(guest);
    }
  }

  private void collect(Body guest) {
    if (isReferredTo(guest)) {
      hasLostCall = true;
    }
    guest.node.hold.left();
    isCollected = true;
  }

  private boolean isReferredTo(Body guest) {
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

  // Names

  private void callOut(Body caller, Simulated callee) {
    caller.calls++;
    post(caller.node.index, callee.index, () -> callee.toServe.add(caller.epoch));
  }

  /** Serves a call of the object, and perhaps makes a reference of its caller before it answers. */
  private void serve(Simulated at) {
    var itsEpoch = at.toServe.removeFirst();
    var caller = caller(itsEpoch);
    if (!isWindingUp && random.nextBoolean()) {
      referToCaller(at, itsEpoch, false);
    }
    at.served.add(itsEpoch);
    post(at.index, caller.node.index, () -> caller.calls--);
  }

  private Body caller(int itsEpoch) {
    return nodes.stream()
        .flatMap(each -> each.bodies.stream())
        .filter(each -> each.epoch == itsEpoch)
        .findFirst()
        .orElseThrow();
  }

  private void referToCaller(Simulated at, int itsEpoch, boolean isLate) {
    var home = caller(itsEpoch).node;
    var guest = at.here();
    if (guest != null && guest.serves && !isCollected) {
      guest.isReferred = true;
      return;
    }
    if (itsEpoch == 0) { // not a name: counted by its node of birth
      return;
    }
    if (without != WithoutRule.CALLER_HELD) {
      var body = caller(itsEpoch);
      post(
          at.index,
          home.index,
          () -> {
            body.isHeld |= !body.hasLeft || body.isAlive();
          });
    }
    refersByName(at, isLate);
  }

  private void decode(Simulated at) {
    var guest = at.here();
    if (guest != null && guest.serves && !isCollected) {
      guest.isReferred = true;
    } else if (at.index == BIRTH) {
      referAtBirth(true);
    } else {
      refersByName(at, true);
    }
  }

  private void refersByName(Simulated at, boolean isLate) {
    if (at.index == BIRTH) {
      pin();
      referAtBirth(isLate);
      return;
    }
    at.isUnconfirmed = isLate && (!at.hasName || at.isUnconfirmed);
    at.hasName = true;
    post(
        at.index,
        BIRTH,
        () -> {
          pin();
          confirm(
              () -> {
                at.hasName &= !isCollected; // the name held nothing before
                at.isUnconfirmed = false;
              });
        });
  }

  private void referAtBirth(boolean isLate) {
    var body = again();
    if (!isLate) {
      body.isReferred = true;
      return;
    }
    body.calls++; // it is alive
    confirm(
        () -> {
          body.calls--;
          body.isReferred |= !isCollected;
        });
  }

  private void pin() {
    if (without != WithoutRule.NAMES_PIN) {
      holdAgain(departed.pin());
    }
  }

  /** Runs an action when the host has heard that it must hold the object again. */
  private void confirm(Runnable action) {
    if (lastHeldAgain == 0) {
      action.run();
    } else {
      post(BIRTH, lastHeldAgain, action);
    }
  }

  // Moves

  private void move(int to) {
    moves++;
    var body = Objects.requireNonNull(current);
    var from = body.node;
    var destination = nodes.get(to);
    from.where.depart(body.epoch, destination.id);
    next = new Body(destination, body.epoch + 1);
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

  private void requestGrant(Body from, Body to) {
    post(
        from.node.index,
        COORDINATOR,
        () -> {
          directory.grant(OBJECT, new Place(from.node.id, from.epoch), to.node.id);
          announce(from.node, () -> from.node.where.departed(from.epoch, to.node.id));
          announce(to.node, () -> granted(to));
        });
  }

  private void announce(Simulated node, Runnable action) {
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

  private static void granted(Body to) {
    to.node.where.granted(to.epoch);
    to.node.relocated(Route.OF_CALLERS, new Place(to.node.id, to.epoch));
  }

  // Deaths

  private void die(Simulated dead) {
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
            repeat(random.nextInt(queue.size() + 1), queue::removeLast);
          }
        });
    unanswered.remove(dead.index);
    isRefused = true;
    endWave();
  }

  private void apply(Simulated node, int view, Simulated dead) {
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

  // Waves

  private void ask() {
    var birthplace = nodes.get(BIRTH);
    if (without != WithoutRule.BODIES_AT_BIRTH && birthplace.isReferredTo()) {
      return;
    }
    question = departed.question();
    isRefused = false;
    hasAskedItself = false;
    version = 0;
    wave++;
    unanswered.clear();
    for (var each : nodes) {
      if (each.index != BIRTH && !birthplace.isDead(each.id)) {
        unanswered.add(each.index);
      }
    }
    var its = wave;
    for (var each : List.copyOf(unanswered)) {
      post(BIRTH, each, () -> answer(nodes.get(each), its));
    }
    if (without == WithoutRule.MARKS_OF_BIRTHPLACE_LAST) {
      unanswered.add(BIRTH);
      answer(birthplace, its);
    }
  }

  private void answer(Simulated node, int its) {
    var known = node.index == BIRTH ? 0 : node.hold.version();
    var passages = new ArrayList<Body>();
    if (without != WithoutRule.MARKS_BEHIND_QUEUES) {
      node.bodies.stream().filter(each -> each.hasLeft && each.isAlive()).forEach(passages::add);
    }
    if (passages.isEmpty()) {
      flush(node, its, known);
    }
    for (var each : List.copyOf(passages)) {
      each.queue.add(
          () -> {
            passages.remove(each);
            if (passages.isEmpty()) {
              flush(node, its, known);
            }
          });
    }
  }

  private void flush(Simulated node, int its, long known) {
    var hasMarks = node.knowsMoves && without != WithoutRule.MARKS;
    if (hasMarks && without == WithoutRule.IDLE_ROUTES) {
      node.where.probe();
    } else if (hasMarks && !node.where.flush()) {
      answered(node, its, NOT_NOW);
      return;
    }
    node.flush =
        () -> {
          var isFlushed = without == WithoutRule.IDLE_ROUTES || node.where.isFlushed();
          var version = without == WithoutRule.VERSION_BEFORE_MARKS ? node.hold.version() : known;
          answered(node, its, !hasMarks || isFlushed ? version : NOT_NOW);
        };
    if (hasMarks) {
      node.changed();
    } else {
      var done = node.flush;
      node.flush = null;
      done.run();
    }
  }

  private void answered(Simulated node, int its, long answer) {
    if (node.index == BIRTH) {
      taken(node, its, answer);
      return;
    }
    if (without != WithoutRule.REPORT_BEFORE_ANSWER) {
      tell(node);
    }
    post(node.index, BIRTH, () -> taken(node, its, answer));
  }

  private void taken(Simulated node, int its, long answer) {
    if (its != wave || !unanswered.remove(node.index)) {
      return;
    }
    isRefused |= answer == NOT_NOW;
    if (question != null && question.host() == node.index) {
      version = answer;
    }
    endWave();
  }

  private void endWave() {
    var asked = question;
    if (asked == null || !unanswered.isEmpty()) {
      return;
    }
    if (isRefused) {
      question = null;
      return;
    }
    var isLast =
        without == WithoutRule.MARKS_OF_BIRTHPLACE
            || without == WithoutRule.MARKS_OF_BIRTHPLACE_LAST;
    if (!isLast && !hasAskedItself) {
      hasAskedItself = true;
      unanswered.add(BIRTH);
      answer(nodes.get(BIRTH), wave);
      return;
    }
    hasAskedItself = false;
    question = null;
    release(asked);
  }

  private void release(DepartedObject.Question asked) {
    var host = (int) asked.host();
    if (host != BIRTH && version <= 0) {
      return;
    }
    if (departed.release(asked)) {
      var released = version;
      post(
          BIRTH,
          host,
          () -> {
            if (nodes.get(host).copies.areAll(asked.copies())) {
              nodes.get(host).hold.release(released);
            }
          });
    }
  }
}
