package org.troupe.activeobjects.internal.membership;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.peer.Membership;

/** The memberships of one node, the oldest first, and the copies of journals on it. Thread-safe. */
public final class Memberships {

  private final LocalNode node;
  private final GridCopies copies;
  private final List<GridMembership> open = new CopyOnWriteArrayList<>();
  private volatile @Nullable GridMembership last; // that has ended; null if there is another one

  /** Creates the memberships of a node, without any. */
  public Memberships(LocalNode node) {
    this.node = node;
    this.copies = new GridCopies(node.objects(), this);
  }

  /** Returns the node that is a member. */
  public LocalNode node() {
    return node;
  }

  /** Returns the copies of journals in the memory of the node. */
  public GridCopies copies() {
    return copies;
  }

  void add(GridMembership opened) {
    open.add(opened);
    last = null;
  }

  void remove(GridMembership closed) {
    last = closed; // first: there is a latest one at any time
    open.remove(closed);
    if (!open.isEmpty()) {
      last = null;
    }
  }

  /**
   * Returns what the run of the latest membership is called in stores: the output of a node belongs
   * to the run in which it began.
   */
  public Optional<String> run() {
    return latest().map(GridMembership::run);
  }

  /** Returns the oldest membership. */
  public Optional<GridMembership> first() {
    return open.stream().findFirst();
  }

  /**
   * Returns the oldest membership, or the one that has ended last if there is none any more. All
   * nodes are lost to the latter.
   */
  public Optional<GridMembership> latest() {
    return first().or(() -> Optional.ofNullable(last)).or(this::first); // that was just added
  }

  /** Returns the membership that peers refer to; empty if the node has left that grid. */
  public Optional<GridMembership> of(Membership membership) {
    for (var each : open) {
      if (each == membership) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
