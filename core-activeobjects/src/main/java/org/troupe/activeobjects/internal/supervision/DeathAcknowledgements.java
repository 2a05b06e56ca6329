package org.troupe.activeobjects.internal.supervision;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.NodeId;

/** The members that have not acknowledged one death, and the objects that wait for them. */
final class DeathAcknowledgements {

  private final NodeId dead;
  private final String why;
  private final Set<NodeId> awaited;
  private final List<SupervisedObject> objects = new ArrayList<>();

  DeathAcknowledgements(NodeId dead, String why, Collection<NodeId> members) {
    this.dead = dead;
    this.why = why;
    awaited = new HashSet<>(members);
  }

  NodeId dead() {
    return dead;
  }

  String why() {
    return why;
  }

  void add(SupervisedObject object) {
    objects.add(object);
  }

  /** Records that a member has acknowledged the death, or is lost itself. */
  void hasCome(NodeId member) {
    awaited.remove(member);
  }

  boolean areComplete() {
    return awaited.isEmpty();
  }

  boolean has(SupervisedObject object) {
    return objects.contains(object);
  }

  List<SupervisedObject> objects() {
    return objects;
  }
}
