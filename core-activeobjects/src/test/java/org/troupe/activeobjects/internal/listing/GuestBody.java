package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.Deque;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.listing.GuestGrid.Call;
import org.troupe.activeobjects.internal.relocation.Embodiment;
import org.troupe.activeobjects.internal.relocation.Route;
import org.troupe.activeobjects.internal.relocation.Routed;

/** A body in which the object is or was. */
final class GuestBody implements Embodiment<Call> {

  final GuestNode node;
  private final GuestGrid grid;
  final int epoch;
  final Deque<Runnable> queue = new ArrayDeque<>();
  boolean isReferred; // by user code of its node
  boolean serves;
  boolean hasLeft;
  boolean isForgotten;
  boolean isHeld; // for a node that has made a reference of its name
  int calls; // of the object, that are not answered

  GuestBody(GuestNode node, int epoch) {
    this.node = node;
    grid = node.grid;
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
    if (call.origin() == node.index) {
      node.where.sendAfter(epoch, call);
    } else {
      var place = node.where.placeAfter(epoch);
      var caller = grid.nodes.get(call.origin());
      grid.post(node.index, call.origin(), () -> caller.relocated(Route.OF_CALLERS, place));
      node.where.passOn(epoch, call);
    }
  }

  @Override
  public void take(Call call) {
    if (grid.isCollected && this == grid.current) {
      grid.hasLostCall |= grid.nodes.get(call.origin()).lives;
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
    grid.current = grid.next;
  }

  @Override
  public void resume() {
    serves = true;
    if (grid.current == this) {
      grid.next = null;
    }
  }
}
