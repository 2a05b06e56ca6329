package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * The part of one node in the moves of one object: the route of its callers, the object itself in
 * the epochs in which the node hosts it, and the forwarders of earlier ones.
 *
 * <p>A message carries the epoch of the host for which it is meant. The host of that epoch takes
 * it; a node that hosted the object then forwards it to the next epoch. Epochs only grow, so no
 * message travels in a circle. A node to which the object has come back forgets its earlier stays
 * there: the next one that it knows takes their messages. Not thread-safe.
 */
public class ObjectWhereabouts<M> {

  private final NodeId node;
  private final RelocationNetwork<M> network;
  private final Route<M> callers;
  private final NavigableMap<Integer, Residence<M>> residences = new TreeMap<>();
  private final Forwarders<M> forwarders;
  private final List<Residence.Late<M>> early = new ArrayList<>(); // wait for a view of the grid

  /**
   * Creates the knowledge of a node that has not sent to the object yet.
   *
   * @param place where the object is, as far as is known
   */
  public ObjectWhereabouts(NodeId node, Place place, RelocationNetwork<M> network) {
    this.node = node;
    this.network = network;
    this.callers = newRoute(Route.OF_CALLERS, place);
    this.forwarders = new Forwarders<>(place, this::relocated);
  }

  private Route<M> newRoute(int key, Place place) {
    return new Route<>(node, key, place, network);
  }

  /** Records that the object was created on this node, or made anew after it was lost. */
  public void born(int epoch, Embodiment<M> object) {
    residences.put(epoch, Residence.ofBirth(object));
  }

  // Senders

  /** Sends a message of a caller on this node. */
  public void send(M message) {
    callers.send(Routed.first(new Routed.Content.Message<>(message)));
  }

  /**
   * Returns a message of a caller on this node that its sender sends to a host itself. It must do
   * so in the same step.
   *
   * @return {@code null} if the message has to be {@linkplain #send sent} by its route, because the
   *     way to that host is not settled
   */
  public @Nullable Routed<M> sentTo(NodeId host, M message) {
    return callers.sentTo(host, Routed.first(new Routed.Content.Message<>(message)));
  }

  /**
   * Records that the callers of this node have sent nothing by their route, and that the object
   * leaves its birthplace only after what they had sent there before they had a route.
   */
  public void callersBegin() {
    callers.begins();
  }

  /** Returns where the callers of this node send their messages. */
  public Place place() {
    return callers.place();
  }

  /**
   * Sends messages of this node again, before all that a route holds, when the place of the object
   * is known. No effect unless the route waits for that.
   *
   * @param again returns them, given those that wait
   */
  public void sendAgain(int route, Function<List<M>, List<M>> again) {
    var known = route(route);
    if (known == null || !known.awaitsPlace()) {
      return;
    }
    List<M> waiting = new ArrayList<>();
    for (var each : known.heldMessages()) {
      if (each.content() instanceof Routed.Content.Message<M>(M message)) {
        waiting.add(message);
      }
    }
    List<Routed<M>> first = new ArrayList<>();
    for (var each : again.apply(waiting)) {
      first.add(Routed.first(new Routed.Content.Message<>(each)));
    }
    known.holdFirst(first);
  }

  /** Returns how many messages of the callers of this node wait. */
  public int held() {
    return callers.held();
  }

  /**
   * Discards the messages of a route that wait for the place of the object, and those that come
   * until it is known, as far as they may be refused.
   */
  public void refuse(int route) {
    var known = route(route);
    if (known != null) {
      known.refuse();
    }
  }

  /** Returns whether a route of this node holds messages back. */
  public boolean holdsMessages() {
    return !callers.isOpen() || forwarders.activeRoutes().anyMatch(each -> !each.isOpen());
  }

  /**
   * Handles the news that the object has moved from where a route leads. News for the callers of
   * this node is for all of its routes.
   */
  public void relocated(int route, Place place) {
    if (route == Route.OF_CALLERS) {
      relocated(callers, place);
      forwarders.relocated(place);
    } else if (forwarders.get(route) instanceof Forwarders.Forwarder<M> known) {
      relocated(known.route(), place);
    }
  }

  private void relocated(Route<M> route, Place place) {
    if (isEmpty(route) || hasPassedTail(route, place)) {
      route.relocatedEmpty(place);
    } else {
      route.relocated(place);
    }
  }

  /** Returns whether nothing is on the path of a route, so that it needs no mark to leave it. */
  boolean isEmpty(Route<M> route) {
    return route.isEmpty();
  }

  /** Returns whether the queue that a forwarder has sent, and nothing after it, has arrived. */
  boolean hasPassedTail(Route<M> route, Place place) {
    return route.hasPassedTail(place);
  }

  /**
   * Finds out whether all that callers on this node have sent has arrived: each of their routes
   * {@linkplain #switched switches} when nothing is on its way any more, unless it does so anyway.
   */
  public void probe() {
    probedRoutes().forEach(Route::probe);
  }

  /**
   * Returns whether all routes of callers on this node lead to one place and hold nothing back, so
   * that its host has all that was sent before the routes have switched, or never will. If not,
   * probes those that lag behind.
   */
  public boolean converges() {
    var probed = probedRoutes();
    var places = probed.stream().map(Route::place).toList();
    var latest = Collections.max(places, Comparator.comparingInt(Place::epoch));
    probed.forEach(each -> relocated(each, latest));
    return probed.stream().allMatch(each -> each.leadsTo(latest));
  }

  /**
   * Returns the routes by which messages of callers on this node may be on their way. Callers that
   * have a body in which the object was here use the route of its forwarder.
   */
  List<Route<M>> probedRoutes() {
    return routes();
  }

  private List<Route<M>> routes() {
    List<Route<M>> all = new ArrayList<>();
    all.add(callers);
    all.addAll(forwarders.routes());
    return all;
  }

  /**
   * Sends a mark behind all that this node has sent to the object, or forwards, on each way.
   *
   * @return {@code false} if something waits to be sent or taken, so that no mark can prove
   *     anything
   */
  public boolean flush() {
    if (!isFlushed() || holdsArrivals()) {
      return false;
    }
    routes().forEach(Route::probe);
    return true;
  }

  /** Returns whether marks are on their way. */
  public boolean awaitsMarks() {
    return routes().stream().anyMatch(Route::awaitsMark);
  }

  /** Returns, when no marks are on their way any more, whether all have arrived. */
  public boolean isFlushed() {
    return routes().stream().allMatch(this::isIdle);
  }

  boolean isIdle(Route<M> route) {
    return route.isIdle();
  }

  /** Handles the arrival of a mark that a route has sent. */
  public void switched(int route, long mark, Place place) {
    var known = route(route);
    if (known != null) {
      known.switched(mark, place);
    }
  }

  /** Handles the coordinator's answer to a route. */
  public void located(int route, Place place) {
    var known = route(route);
    if (known != null) {
      known.located(place);
    }
  }

  /** Handles the coordinator's answer that the object was lost. */
  public void lost(int route) {
    var known = route(route);
    if (known != null) {
      known.lost();
    }
  }

  /** Sends all marks again that have not arrived. */
  public void repeatMarks() {
    callers.repeatMark();
    forwarders.activeRoutes().forEach(Route::repeatMark);
  }

  private @Nullable Route<M> route(int key) {
    if (key == Route.OF_CALLERS) {
      return callers;
    }
    var forwarder = forwarders.get(key);
    return forwarder == null ? null : forwarder.route();
  }

  // Hosts

  /**
   * Takes or forwards a message.
   *
   * @return whether the message arrived, or waits here; {@code false} if this node never hosted the
   *     object in that epoch
   */
  public boolean arrive(NodeId sender, Routed<M> message) {
    if (!early.isEmpty() || mustWait(message)) { // those that wait must not be overtaken
      early.add(new Residence.Late<>(sender, message));
      return true;
    }
    return admit(sender, message);
  }

  /** Takes or forwards a message for which this node has applied enough. */
  private boolean admit(NodeId sender, Routed<M> message) {
    if (hasPassedDead(message)) {
      network.drop(message);
      return true;
    }
    var stay = firstStay(message.epoch());
    if (stay == null) {
      return false;
    }
    var itsMessage = message.to(stay); // which may have been meant for an earlier one
    var residence = residences.get(stay);
    if (residence == null) {
      forwarder(stay).object().take(sender, itsMessage);
    } else if (isLate(residence, sender, itsMessage)) {
      residence.addLate(sender, itsMessage);
    } else {
      take(residence, itsMessage);
    }
    return true;
  }

  /** Returns the first epoch that this node knows of its own, from one on; {@code null} if none. */
  private @Nullable Integer firstStay(int epoch) {
    var lasting = residences.ceilingKey(epoch);
    var former = forwarders.from(epoch);
    if (lasting == null || former == null) {
      return lasting == null ? former : lasting;
    }
    return Math.min(lasting, former);
  }

  /**
   * Forgets the earlier stays of the object on this node that nothing needs any more. All that a
   * forwarder has sent must have arrived: a message that comes for its epoch goes to a later stay
   * here, by another way. If that is not known, a mark finds it out for the next time.
   *
   * @param isNeeded returns whether something of this node needs the stay in an epoch
   * @return the epochs of those that it has forgotten
   */
  public List<Integer> forgetStays(IntPredicate isNeeded) {
    List<Integer> forgotten = new ArrayList<>();
    forwarders.forEachBefore(
        lastStay(),
        epoch -> {
          if (isNeeded.test(epoch)) {
            return;
          }
          var route = forwarder(epoch).route();
          if (isPassed(route)) {
            forgotten.add(epoch);
          } else {
            route.probe();
          }
        });
    forwarders.removeAll(forgotten);
    return forgotten;
  }

  /** Returns whether all has arrived that a forwarder has sent. */
  boolean isPassed(Route<M> route) {
    return isIdle(route) && isEmpty(route);
  }

  private int lastStay() {
    var last = forwarders.last();
    for (var each : residences.entrySet()) {
      last = each.getValue().awaitsGrant() ? last : Math.max(last, each.getKey());
    }
    return last;
  }

  /**
   * Sends a message of a caller on this node after an object that has left: it was put into the
   * body in which the object was here.
   */
  public void sendAfter(int epoch, M message) {
    forwarder(epoch).route().send(Routed.first(new Routed.Content.Message<>(message)));
  }

  /** Sends another message of the queue of an object that has left after it. */
  public void passOn(int epoch, M message) {
    var content = new Routed.Content.Message<>(message);
    forwarder(epoch).route().send(Routed.first(content).forwardedBy(node));
  }

  /** Forwards a message that has passed the queue of an object that has left. */
  public void forward(int epoch, NodeId sender, Routed<M> message) {
    var route = forwarder(epoch).route();
    network.sendRelocated(sender, message.previous(), route.place());
    route.send(message.forwardedBy(node));
  }

  /** Handles the end of the queue that an object had when it left. */
  public void tailPassedOn(int epoch) {
    forwarder(epoch).route().send(Routed.first(new Routed.Content.TailEnd<>()));
  }

  /** Returns where an object went that has left in an epoch. */
  public Place placeAfter(int epoch) {
    return forwarder(epoch).route().place();
  }

  private Forwarders.Forwarder<M> forwarder(int epoch) {
    var known = forwarders.get(epoch);
    if (known == null) {
      throw new IllegalStateException("no object has left in epoch " + epoch);
    }
    return known;
  }

  /** Returns whether messages have arrived, or are about to, that wait before they are queued. */
  public boolean holdsArrivals() {
    return !early.isEmpty() || residences.values().stream().anyMatch(Residence::holdsArrivals);
  }

  /** Returns whether no message waits here, and no mark is on its way. */
  public boolean isSettled() {
    return routes().stream().allMatch(Route::isSettled) && !holdsArrivals();
  }

  /** Returns whether an image is here, and the grant of its move is not known. */
  public boolean awaitsGrant() {
    return residences.values().stream().anyMatch(Residence::awaitsGrant);
  }

  /** Returns whether the object is here and serves, or is about to. */
  public boolean isHere(int epoch) {
    return residences.containsKey(epoch);
  }

  /** Returns whether this node must apply a later view of the grid before it takes a message. */
  boolean mustWait(Routed<M> message) {
    return network.view() < message.view();
  }

  /** Returns whether a dead node has forwarded a message, which may be on its way twice. */
  boolean hasPassedDead(Routed<M> message) {
    for (var hop : message.hops()) { // no stream: few messages have any
      if (network.isDead(hop)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a message must wait behind the queue of an arriving object. */
  boolean isLate(Residence<M> residence, NodeId sender, Routed<M> message) {
    return residence.isLate(sender, message);
  }

  private void take(Residence<M> residence, Routed<M> message) {
    switch (message.content()) {
      case Routed.Content.Message<M>(M content) -> residence.object().take(content);
      case Routed.Content.Mark<M> mark ->
          network.sendSwitched(mark.owner(), mark, new Place(node, message.epoch()));
      case Routed.Content.TailEnd<M> end -> {
        residence.tailEnded();
        settle(residence);
      }
    }
  }

  /** Records that the image of the object is on the way to another node. */
  public void depart(int epoch, NodeId to) {
    residence(epoch).depart(to);
  }

  /** Resumes the service of an object whose move was refused. */
  public void stay(int epoch) {
    var residence = residences.get(epoch);
    if (residence != null) {
      residence.stay();
    }
  }

  /** Forgets an image whose move was refused. */
  public void dismiss(int epoch) {
    residences.remove(epoch);
  }

  /** Records that an image has arrived for an epoch. */
  public void arrived(int epoch, Embodiment<M> object, NodeId formerHost) {
    residences.put(epoch, Residence.ofArrival(object, formerHost));
  }

  /**
   * Handles the grant of a move on the former host, which becomes a forwarder: it sends the queue
   * first.
   */
  public void departed(int epoch, NodeId to) {
    var left = residences.remove(epoch);
    if (left == null) {
      return;
    }
    var route = newRoute(epoch, new Place(to, epoch + 1));
    forwarders.add(epoch, left.object(), route);
    left.object().depart();
    readmit(left.removeLate());
  }

  /** Handles the grant of a move on the new host. */
  public void granted(int epoch) {
    var residence = residences.get(epoch);
    if (residence != null) {
      residence.granted();
      settle(residence);
    }
  }

  private void settle(Residence<M> residence) {
    if (residence.settles(network)) {
      readmit(residence.removeLate());
    }
  }

  private void readmit(List<Residence.Late<M>> waiting) {
    for (var each : waiting) { // they have come before those that wait for a view
      admit(each.sender(), each.message());
    }
  }

  private Residence<M> residence(int epoch) {
    var known = residences.get(epoch);
    if (known == null) {
      throw new IllegalStateException("no object is here in epoch " + epoch);
    }
    return known;
  }

  /** Takes the messages that waited for a view of the grid, after this node has applied one. */
  public void viewApplied() {
    var waiting = List.copyOf(early);
    early.clear();
    for (var each : waiting) {
      if (!network.isDead(each.sender())) {
        arrive(each.sender(), each.message());
      }
    }
  }

  /**
   * Handles the death of a node, after this node has applied it. A grant that was made before the
   * death has arrived before it, since both come from the coordinator in one order.
   */
  public void died(NodeId dead) {
    residences.values().removeIf(residence -> residence.isLostWith(dead));
    for (var residence : List.copyOf(residences.values())) {
      settle(residence);
      if (residence.departsTo(dead)) {
        residence.stay();
      }
    }
    viewApplied();
    routes().forEach(each -> each.died(dead));
  }
}
