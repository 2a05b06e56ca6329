package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * The path that messages of one origin take to an object: those of the callers on a node, or those
 * that a former host forwards.
 *
 * <p>When the object has moved, messages may still be on the old path. The route therefore sends a
 * mark behind them, holds what follows, and takes the new path when the mark has arrived. If
 * nothing was sent since the last mark arrived, it takes the new path at once. When the next host
 * has died, the route holds its messages until the coordinator has named another. Not thread-safe.
 */
public final class Route<M> {

  /** The key of the route of a node's callers; a forwarder's key is the epoch that it follows. */
  public static final int OF_CALLERS = -1;

  private final NodeId node;
  private final int key;
  private final RelocationNetwork<M> network;
  private final Queue<Routed<M>> held = new ArrayDeque<>();
  private Place place;
  private long lastMark;
  private boolean awaitsMark;
  private boolean awaitsPlace;
  private boolean refuses; // messages while it awaits a place
  private boolean isLost;
  private boolean isEmpty; // nothing was sent since the last mark arrived
  private boolean endsWithTail; // the end of a queue was sent last, to the host of the next epoch

  Route(NodeId node, int key, Place place, RelocationNetwork<M> network) {
    this.node = node;
    this.key = key;
    this.place = place;
    this.network = network;
  }

  int key() {
    return key;
  }

  /** Returns where the object was when this node heard of it last. */
  Place place() {
    return place;
  }

  /** Returns whether messages are sent at once, rather than held. */
  boolean isOpen() {
    return !awaitsMark && !awaitsPlace;
  }

  /** Returns whether messages are sent at once, and none waits. */
  boolean isIdle() {
    var next = place.node();
    return !isLost && isOpen() && held.isEmpty() && !network.isLost(next) && !network.isDead(next);
  }

  boolean awaitsMark() {
    return awaitsMark;
  }

  /** Returns whether nothing waits, and nothing is on the path. */
  boolean isAtRest() {
    return isLost || isOpen() && held.isEmpty() && isEmpty;
  }

  /** Returns whether neither a message nor a mark waits. */
  boolean isSettled() {
    return isLost || isOpen() && held.isEmpty();
  }

  /** Returns whether messages are sent to a place at once, or the object is lost. */
  boolean leadsTo(Place other) {
    return isLost || isOpen() && place.equals(other);
  }

  /** Sends a message, or holds it while the path changes. */
  void send(Routed<M> message) {
    if (isLost || refuses && isRefusable(message)) {
      network.discard(message);
    } else if (isOpen() && !network.isLost(place.node())) {
      sendNow(message);
    } else {
      held.add(message);
    }
  }

  /**
   * Returns a message as its sender is to send it to a host, in the same step: a mark that is sent
   * later has to be behind it.
   *
   * @return {@code null} if the message has to be held, or has another destination
   */
  @Nullable Routed<M> sentTo(NodeId host, Routed<M> message) {
    if (isLost || !isOpen() || !place.node().equals(host) || network.isLost(host)) {
      return null;
    }
    isEmpty = false;
    endsWithTail = false;
    return message.from(this, place, network.lastLoss());
  }

  private boolean isRefusable(Routed<M> message) {
    return message.content() instanceof Routed.Content.Message<M>(M content)
        && network.isRefusable(content);
  }

  /** Returns how many messages wait. */
  int held() {
    return held.size();
  }

  /** Returns the messages that wait, in order. */
  List<Routed<M>> heldMessages() {
    return List.copyOf(held);
  }

  /** Holds messages before all others, while the path changes. */
  void holdFirst(List<Routed<M>> before) {
    if (isOpen()) {
      throw new IllegalStateException("the path does not change");
    }
    var later = List.copyOf(held);
    held.clear();
    held.addAll(before);
    held.addAll(later);
  }

  boolean awaitsPlace() {
    return awaitsPlace;
  }

  /**
   * Discards the messages that wait, and those that come until the place is known, as far as they
   * may be refused.
   */
  void refuse() {
    if (!awaitsPlace) {
      return;
    }
    refuses = true;
    var all = List.copyOf(held);
    held.clear();
    for (var each : all) {
      send(each);
    }
  }

  private void sendNow(Routed<M> message) {
    isEmpty = false;
    endsWithTail = message.content() instanceof Routed.Content.TailEnd && place.epoch() == key + 1;
    network.send(place.node(), message.from(this, place, network.lastLoss()));
  }

  /** Returns whether all that was sent has arrived, as far as that is known. */
  boolean isEmpty() {
    return isEmpty;
  }

  /**
   * Returns whether all that a forwarder has sent has arrived, as the object has left the next host
   * since, and nothing was sent after the end of the queue: that host has served the object, and
   * hence had the end of the queue.
   */
  boolean hasPassedTail(Place next) {
    return endsWithTail && next.epoch() > key + 1;
  }

  /** Records that nothing was sent yet that may still be on the path. */
  void begins() {
    isEmpty = true;
  }

  /** Handles the news that the object has moved. */
  void relocated(Place next) {
    if (place.isBefore(next)) {
      probe();
    }
  }

  /** Handles the news that the object has moved while nothing is on the old path. */
  void relocatedEmpty(Place next) {
    if (!isLost && isOpen() && place.isBefore(next) && !network.isDead(place.node())) {
      isEmpty = true;
      take(next);
    }
  }

  /** Takes the path to a host, behind all that was sent by the old one. */
  private void take(Place next) {
    place = next;
    if (network.isDead(next.node())) {
      awaitsPlace = true;
      network.requestPlace(key);
    } else {
      sendHeld();
    }
  }

  /**
   * Sends a mark, and holds all messages until it has arrived behind those that were sent before.
   */
  void probe() {
    if (!isLost && isOpen() && !network.isDead(place.node())) {
      lastMark++;
      sendMark();
      awaitsMark = true;
    }
  }

  private void sendMark() {
    sendNow(Routed.first(new Routed.Content.Mark<>(node, key, lastMark)));
  }

  /** Sends the mark again, since a forwarder that held it may have died. */
  void repeatMark() {
    if (awaitsMark) {
      sendMark();
    }
  }

  /** Handles the arrival of a mark: all that was sent by the old path has arrived. */
  void switched(long mark, Place next) {
    if (awaitsMark && mark == lastMark) {
      awaitsMark = false;
      isEmpty = true;
      take(next);
    }
  }

  /** Handles the death of a node, after this node has applied it. */
  void died(NodeId dead) {
    if (awaitsPlace || isLost) {
      return;
    }
    if (place.node().equals(dead)) {
      awaitsMark = false;
      awaitsPlace = true;
      network.requestPlace(key);
    } else {
      repeatMark();
    }
  }

  /** Handles the coordinator's answer. */
  void located(Place next) {
    if (!awaitsPlace) {
      return;
    }
    place = next;
    if (network.isDead(place.node())) {
      network.requestPlace(key);
    } else {
      awaitsPlace = false;
      refuses = false;
      sendHeld();
    }
  }

  /** Handles the coordinator's answer that the object was lost with its node. */
  void lost() {
    isLost = true;
    refuses = false;
    awaitsMark = false;
    awaitsPlace = false;
    for (Routed<M> next; (next = held.poll()) != null; ) {
      network.discard(next);
    }
  }

  private void sendHeld() {
    if (network.isLost(place.node())) {
      return; // its death is about to be applied, and then the coordinator is asked
    }
    for (Routed<M> next; (next = held.poll()) != null; ) {
      sendNow(next);
    }
  }
}
