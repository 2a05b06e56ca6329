package org.troupe.activeobjects.internal.relocation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The time that an object spends on one node, in one epoch. Not thread-safe. */
final class Residence<M> {

  /** The phase of the object. */
  private enum Phase {
    /** It has an image here, but waits for the grant and for the end of its queue. */
    ARRIVING,
    /** It serves. */
    SERVING,
    /** Its image is on the way to another node; it queues what arrives. */
    DEPARTING
  }

  /**
   * A message that the former host has not sent behind the queue, and that must not overtake it.
   */
  record Late<M>(NodeId sender, Routed<M> message) {}

  private final Embodiment<M> object;
  private final @Nullable NodeId formerHost; // null at birth
  private final List<Late<M>> late = new ArrayList<>();
  private Phase phase;
  private @Nullable NodeId destination; // while it departs
  private boolean isGranted;
  private boolean hasTail;

  private Residence(Embodiment<M> object, @Nullable NodeId formerHost, Phase phase) {
    this.object = object;
    this.formerHost = formerHost;
    this.phase = phase;
  }

  static <M> Residence<M> ofBirth(Embodiment<M> object) {
    return new Residence<>(object, null, Phase.SERVING);
  }

  static <M> Residence<M> ofArrival(Embodiment<M> object, NodeId formerHost) {
    return new Residence<>(object, formerHost, Phase.ARRIVING);
  }

  Embodiment<M> object() {
    return object;
  }

  boolean serves() {
    return phase == Phase.SERVING;
  }

  /**
   * Returns whether a message has to wait until the queue from the former host has arrived. Those
   * of callers on that host have to, unless they come by the route of its forwarder: earlier ones
   * may be in the queue.
   */
  boolean isLate(NodeId sender, Routed<M> message) {
    var isBehindQueue = sender.equals(formerHost) && message.previous() == message.epoch() - 1;
    return phase == Phase.ARRIVING && !isBehindQueue;
  }

  void addLate(NodeId sender, Routed<M> message) {
    late.add(new Late<>(sender, message));
  }

  /** Returns whether messages wait here, or the queue from the former host has not arrived. */
  boolean holdsArrivals() {
    return !late.isEmpty() || phase == Phase.ARRIVING;
  }

  List<Late<M>> removeLate() {
    var all = List.copyOf(late);
    late.clear();
    return all;
  }

  void depart(NodeId to) {
    phase = Phase.DEPARTING;
    destination = to;
  }

  boolean departsTo(NodeId node) {
    return phase == Phase.DEPARTING && node.equals(destination);
  }

  /** Resumes the service of an object that did not depart after all. */
  void stay() {
    if (phase != Phase.DEPARTING) {
      return;
    }
    phase = Phase.SERVING;
    destination = null;
    object.resume();
  }

  /** Returns whether the grant of the move to this node is not known here. */
  boolean awaitsGrant() {
    return phase == Phase.ARRIVING && !isGranted;
  }

  /** Returns whether the move to this node was not granted before the former host died. */
  boolean isLostWith(NodeId node) {
    return awaitsGrant() && node.equals(formerHost);
  }

  void granted() {
    isGranted = true;
  }

  void tailEnded() {
    hasTail = true;
  }

  /** Returns whether an arriving object may begin to serve, and records that it does. */
  boolean settles(RelocationNetwork<M> network) {
    if (phase != Phase.ARRIVING
        || !isGranted
        || !hasTail && (formerHost == null || !network.isDead(formerHost))) {
      return false;
    }
    phase = Phase.SERVING;
    object.resume();
    return true;
  }
}
