package org.troupe.activeobjects.internal.membership;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.troupe.activeobjects.internal.peer.Membership;

/** The memberships of one node, the oldest first. Thread-safe. */
public final class Memberships {

  private final List<GridMembership> open = new CopyOnWriteArrayList<>();

  void add(GridMembership opened) {
    open.add(opened);
  }

  void remove(GridMembership closed) {
    open.remove(closed);
  }

  /** Returns the oldest membership. */
  public Optional<GridMembership> first() {
    return open.stream().findFirst();
  }

  /** Returns the membership that peers refer to; empty if the node has left that grid. */
  public Optional<GridMembership> of(Membership membership) {
    return open.stream().filter(each -> each == membership).findFirst();
  }
}
