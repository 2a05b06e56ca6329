package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.internal.listing.GrowingPauses;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.RecentEnds;

/** Lets one node forget the objects that have moved and ended. */
final class EndedObjects {

  /*
   * Design: when a node forgets an object that has moved
   *
   * A node knows an object that has moved as long as something of the node refers to it, a call of the node is unanswered, or
   * a message or mark waits there. Without all of these, it forgets an object that has ended. A message that arrives later
   * is refused by a node that does not know its object, and a mark is answered, as the last host does. Neither the way nor
   * the order of such messages matters any more.
   *
   * A node that was a host learns of the end from the next one (MovedEnds). Any other node asks the node on which it believes
   * the object to be, in one question about all such objects. That node was a host, or the object was born there: a host has
   * the body before any node hears that the object is there. The object has therefore ended if that node does not know it,
   * or only as one of its callers. Objects are reviewed with each report on references, after pauses
   * that grow.
   *
   * A call that is sent while its object is forgotten is either seen here, or fails when it has been sent.
   *
   * Objects that were lost stay known on the nodes where they have been, whose callers are to learn of the loss.
   */

  private final MovedObjects objects;
  private final NodeObjects node;
  private final GrowingPauses<MovedObject> reviewed = new GrowingPauses<>();
  private final RecentEnds ends = new RecentEnds(); // other than by termination

  EndedObjects(MovedObjects objects, NodeObjects node) {
    this.objects = objects;
    this.node = node;
  }

  void reviewSoon(MovedObject object) {
    if (node.exports().areCounted()) { // else this node does not know what it refers to
      reviewed.add(object);
    }
  }

  void clear() {
    reviewed.clear();
    ends.clear();
  }

  /** Returns the end of an object on this node; {@code null} for one that was terminated. */
  @Nullable End of(ObjectIdentity identity) {
    var known = objects.objectIfKnown(identity);
    var end = known == null ? null : known.knownEnd();
    return end == null ? ends.of(identity) : end;
  }

  /** Returns whether an object that is not here any more may have been lost. */
  boolean mayBeLost(ObjectIdentity identity) {
    var end = of(identity);
    return objects.isOver()
        || (end == null ? ends.haveForgottenLosses() : end.how() == End.How.LOST);
  }

  /** Returns the failure of a call to an object that has ended. */
  ObjectTerminatedException refusal(ObjectIdentity identity) {
    var end = of(identity);
    return new ObjectTerminatedException(
        "a call was not served: " + (end == null ? identity + " has been terminated" : end.why()));
  }

  /** Forgets the objects that this node does not need, if they have ended. */
  void review() {
    var due = reviewed.due();
    if (due.isEmpty()) {
      return;
    }
    List<MovedObject> gone = new ArrayList<>();
    Map<NodeId, List<MovedObject>> unknown = new HashMap<>();
    for (var each : due) {
      if (objects.objectIfKnown(each.identity()) != each) {
        reviewed.remove(each);
      } else if (isUnused(each)) {
        if (hasEndedHere(each)) {
          gone.add(each);
        } else if (!each.hasBeenHere()) {
          unknown.computeIfAbsent(each.place().node(), _ -> new ArrayList<>()).add(each);
        }
      }
    }
    forget(gone);
    unknown.forEach(this::ask);
  }

  private boolean isUnused(MovedObject object) {
    return !node.remoteObjects().isReferredTo(object.identity()) && object.isUnused();
  }

  private static boolean hasEndedHere(MovedObject object) {
    var end = object.knownEnd();
    return end == null ? object.isLost() && !object.hasBeenHere() : end.how() != End.How.LOST;
  }

  /** Asks a node which of some objects have ended that may be there. */
  private void ask(NodeId host, List<MovedObject> asked) {
    var identities = asked.stream().map(MovedObject::identity).toArray(ObjectIdentity[]::new);
    if (host.equals(node.id())) { // it was born here, or was here and is forgotten
      ended(asked, haveEnded(identities));
    } else if (!objects.isLost(host) && !objects.isDead(host)) {
      objects
          .grid()
          .haveEnded(objects.peer(host), identities)
          .thenAcceptAsync(answers -> ended(asked, answers), objects.loopback());
    }
  }

  private void ended(List<MovedObject> asked, boolean[] haveEnded) {
    List<MovedObject> gone = new ArrayList<>();
    for (var i = 0; i < haveEnded.length; i++) {
      var each = asked.get(i);
      if (haveEnded[i] && !each.hasBeenHere() && isUnused(each)) {
        gone.add(each);
      }
    }
    forget(gone);
  }

  private void forget(List<MovedObject> gone) {
    for (var each : gone) {
      var end = each.knownEnd();
      if (end != null && end.how() != End.How.TERMINATED) {
        ends.add(each.identity(), end);
      }
      objects.forget(each);
      reviewed.remove(each);
    }
    for (var each : gone) {
      if (!each.unanswered().isEmpty()) { // calls by threads that knew it still
        objects.expected().failAll(each, refusal(each.identity()));
      }
    }
  }

  /** Returns which of some objects have ended that were on this node, or were created here. */
  boolean[] haveEnded(ObjectIdentity[] asked) {
    var answers = new boolean[asked.length];
    for (var i = 0; i < asked.length; i++) {
      answers[i] = hasEnded(asked[i]);
    }
    return answers;
  }

  private boolean hasEnded(ObjectIdentity identity) {
    var known = objects.objectIfKnown(identity);
    if (known != null && known.hasBeenHere()) {
      return known.knownEnd() != null;
    }
    return !identity.birth().equals(node.id()) || node.body(identity.number()) == null;
  }
}
