package org.troupe.activeobjects.internal.coordination;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeServices;

/** The announcement of the changes of a grid to its members, by the coordinator. */
final class MemberAnnouncements {

  /*
   * Design: batches
   *
   * Joins and deaths, which occur by the hundred, wait if an announcement was just made; other changes are announced at
   * once, with all that are waiting. When the coordinator announced each join separately, and each node kept a peer for
   * every other one, 1,000 hosts needed 138 s to join. Batches, and peers only for nodes with communication, reduced
   * that to between 33 and 43 s (./troupe bench deploy, row deploy-1000-posing-hosts, 12b7a20, 2026-11-22).
   *
   * Threads: the monitor of the table of members is held by callers, and guards the state.
   */

  /**
   * The pause between two announcements, per member: otherwise each of a thousand starting nodes
   * would be notified of each other one. A notification takes about 15 us per member.
   */
  private static final long BATCH_MILLIS_PER_MEMBER = 1;

  private final NodeObjects node;
  private final MemberTable members;
  private final NodeServices services;
  private final BooleanSupplier isClosed;
  private final List<MembershipView.Change> unannounced = new ArrayList<>();
  private boolean isBatching; // an announcement was just made

  MemberAnnouncements(
      NodeObjects node, MemberTable members, NodeServices services, BooleanSupplier isClosed) {
    this.node = node;
    this.members = members;
    this.services = services;
    this.isClosed = isClosed;
  }

  /** Announces a change that was applied, at once or with the next batch. */
  void add(MembershipView.Change change) {
    unannounced.add(change);
    if (!isBatching || !change.canWait()) {
      announce();
    }
  }

  private void announce() {
    var changes = List.copyOf(unannounced);
    unannounced.clear();
    for (var member : members.list()) {
      if (!member.id().equals(node.id()) && !knows(member, changes)) {
        services.of(member).changed(changes);
      }
    }
    if (!isBatching) {
      isBatching = true;
      node.timer()
          .schedule(
              this::endBatch, members.size() * BATCH_MILLIS_PER_MEMBER, TimeUnit.MILLISECONDS);
    }
  }

  /** Returns whether the answer to a member's join has included the changes. */
  private static boolean knows(NodeDescription member, List<MembershipView.Change> changes) {
    return changes.getLast()
            instanceof MembershipView.Change.Joined(long number, NodeDescription last)
        && last == member;
  }

  private void endBatch() {
    synchronized (members) {
      isBatching = false;
      flush();
    }
  }

  /** Announces the changes that are waiting. */
  void flush() {
    if (!unannounced.isEmpty() && !isClosed.getAsBoolean()) {
      announce();
    }
  }
}
