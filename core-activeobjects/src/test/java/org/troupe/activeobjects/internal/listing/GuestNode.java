package org.troupe.activeobjects.internal.listing;

import static org.troupe.activeobjects.internal.listing.GuestGrid.BIRTH;
import static org.troupe.activeobjects.internal.listing.GuestGrid.COORDINATOR;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.listing.GuestExplorer.WithoutRule;
import org.troupe.activeobjects.internal.listing.GuestGrid.Call;
import org.troupe.activeobjects.internal.relocation.ObjectWhereabouts;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.RelocationNetwork;
import org.troupe.activeobjects.internal.relocation.Routed;

/** A node, with its references to the object and its part in the protocols. */
final class GuestNode implements RelocationNetwork<Call> {

  final GuestGrid grid;
  final int index;
  final NodeId id;
  final ObjectWhereabouts<Call> where;
  final HeldCopies copies =
      new HeldCopies() {
        @Override
        public boolean areAll(int given) {
          return grid.without == WithoutRule.COPIES_ON_THEIR_WAY || super.areAll(given);
        }
      };
  final GuestHold hold;
  final List<GuestBody> bodies = new ArrayList<>();
  final List<Integer> toServe = new ArrayList<>(); // calls of the object, by their epochs
  final List<Integer> served = new ArrayList<>(); // those that were answered
  final Deque<Runnable> unnumbered = new ArrayDeque<>(); // calls whose caller is forgotten
  final Set<NodeId> lost = new HashSet<>();
  final Map<Integer, GuestNode> announced = new TreeMap<>(); // deaths, by their views
  int lastAnnounced;
  int lastLoss;
  boolean lives = true;
  boolean knowsMoves;
  boolean refers; // user code refers to the object, by no body
  boolean hasName; // it has made a reference of a name, which nothing counts
  boolean isUnconfirmed; // that reference: the object may be gone
  private @Nullable Runnable flushed; // runs at the end of the flush that lasts

  GuestNode(GuestGrid grid, int index, GuestHold hold) {
    this.grid = grid;
    this.index = index;
    this.id = GuestGrid.id(index);
    this.hold = hold;
    this.where = new ObjectWhereabouts<>(id, new Place(GuestGrid.id(BIRTH), 0), this);
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
        && grid.without != WithoutRule.OWN_MESSAGES_HOLD) {
      hold.used();
    }
    var receiver = (int) host.incarnation();
    grid.post(index, receiver, () -> grid.nodes.get(receiver).arrive(id, message));
  }

  private void arrive(NodeId sender, Routed<Call> message) {
    where.arrive(sender, message);
    changed();
  }

  @Override
  public void sendRelocated(NodeId owner, int route, Place place) {
    var receiver = (int) owner.incarnation();
    grid.post(index, receiver, () -> grid.nodes.get(receiver).relocated(route, place));
  }

  void relocated(int route, Place place) {
    knowsMoves = true;
    where.relocated(route, place);
    changed();
  }

  @Override
  public void sendSwitched(NodeId owner, Routed.Content.Mark<Call> mark, Place place) {
    var receiver = (int) owner.incarnation();
    grid.post(
        index,
        receiver,
        () -> {
          var its = grid.nodes.get(receiver);
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
    grid.post(
        index,
        COORDINATOR,
        () -> {
          var place = grid.place();
          grid.post(
              COORDINATOR,
              index,
              () -> {
                where.located(route, place);
                changed();
              });
        });
  }

  /** Runs an action when no mark is on its way, now or at the next change of the routes. */
  void whenFlushed(Runnable action) {
    flushed = action;
    changed();
  }

  /** Ends a flush when no mark is on its way. */
  void changed() {
    if (flushed != null && !where.awaitsMarks()) {
      var done = flushed;
      flushed = null;
      done.run();
    }
  }

  @Nullable GuestBody here() {
    return bodies.stream().filter(each -> !each.hasLeft).findFirst().orElse(null);
  }

  /** Returns whether something of this node refers to a body that the object has left. */
  boolean isReferredTo() {
    return bodies.stream().anyMatch(each -> each.hasLeft && each.isAlive());
  }

  /** Returns the last body in which the object was granted to be here. */
  GuestBody lastStay() {
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

  private GuestBody body(int stay) {
    return bodies.stream().filter(each -> each.epoch == stay).findFirst().orElseThrow();
  }

  private static boolean isNeeded(GuestBody left, GuestBody last) {
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

  boolean isMoving(GuestBody body) {
    return !body.hasLeft && (!body.serves || body == grid.current && grid.next != null);
  }
}
