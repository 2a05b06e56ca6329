package org.troupe.activeobjects.internal.membership;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.troupe.activeobjects.internal.peer.Membership;

/** The grids that one node takes part in; the first is the oldest. */
public final class Memberships {

  private final List<GridMembership> open = new CopyOnWriteArrayList<>();

  void add(GridMembership opened) {
    open.add(opened);
  }

  void remove(GridMembership closed) {
    open.remove(closed);
  }

  /** Returns the part that the node has taken longest. */
  public Optional<GridMembership> first() {
    return open.stream().findFirst();
  }

  /** Returns a part by what peers know of it; empty if the node has left the grid. */
  public Optional<GridMembership> of(Membership membership) {
    return open.stream().filter(each -> each == membership).findFirst();
  }
}
