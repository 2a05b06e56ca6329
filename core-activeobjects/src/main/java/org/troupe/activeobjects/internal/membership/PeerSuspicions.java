package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.coordination.CoordinatorClient;
import org.troupe.activeobjects.internal.coordination.CoordinatorRole;
import org.troupe.activeobjects.internal.coordination.MemberTable;
import org.troupe.activeobjects.internal.coordination.SilenceLimits;
import org.troupe.activeobjects.internal.mobility.MovingGrid;
import org.troupe.activeobjects.internal.peer.AccrualDetector;
import org.troupe.activeobjects.internal.service.MembershipView;

/**
 * The consequences of a peer that is silent or cannot be reached: a suspicion, on which the
 * coordinator decides, or the end of this node's own membership.
 */
final class PeerSuspicions {

  /*
   * Design: one coordinator decides
   *
   * Only the coordinator decides which nodes belong to the grid. A member that cannot reach another reports
   * it, and the coordinator then tries to reach the suspect itself. If it fails, the suspect is dead at once.
   * If it succeeds but the witness fails for longer than the allowed silence, the suspect is declared dead,
   * too, because a grid in which not all members can communicate hangs.
   *
   * A node that has lost the coordinator can no longer learn of deaths, so it gives up all other nodes: at
   * once if the coordinator cannot be reached, since its process has then ended.
   */

  private final LocalNode node;
  private final MemberTable members;
  private final MovingGrid moving;
  private final CoordinatorClient coordinator;
  private final CoordinatorRole role;
  private final SilenceLimits limits;
  private final Own own;

  /** The membership of this node. */
  interface Own {

    boolean isClosed();

    /** Returns whether this node is the coordinator. */
    boolean coordinates();

    /** Gives up all nodes, because no announcement can reach this node any more. */
    void cutOff(String reason);
  }

  PeerSuspicions(
      LocalNode node,
      MemberTable members,
      MovingGrid moving,
      CoordinatorClient coordinator,
      CoordinatorRole role,
      SilenceLimits limits,
      Own own) {
    this.node = node;
    this.members = members;
    this.moving = moving;
    this.coordinator = coordinator;
    this.role = role;
    this.limits = limits;
    this.own = own;
  }

  /** Decides whether a silent peer is suspected; a coordinator may only have been stopped. */
  void silent(
      NodeId peer,
      AccrualDetector detector,
      long silenceNanos,
      long allowedNanos,
      boolean hasConnected) {
    if (!coordinator.isCoordinator(peer) || hasConnected) {
      if (detector.isOver(silenceNanos, allowedNanos)) {
        suspect(peer, detector.evidence(silenceNanos));
      }
    } else if (silenceNanos > Math.max(allowedNanos, limits.coordinatorPatienceNanos())) {
      suspect(
          peer,
          detector.evidence(silenceNanos)
              + "; a node waits %d s for a program that is stopped"
                  .formatted(limits.coordinatorPatienceSeconds()));
    }
  }

  /** Suspects a peer to which no connection can be made, unless it may have been stopped. */
  void unreachable(NodeId peer, long silentNanos, Exception why) {
    if (!coordinator.mayBeStopped(peer, silentNanos, why)) {
      suspect(peer, "it cannot be reached: " + why.getMessage());
    }
  }

  /** Reports a suspicion to the coordinator, whose own loss ends this membership. */
  void suspect(NodeId suspect, String evidence) {
    if (own.isClosed()) {
      return;
    }
    if (own.coordinates()) {
      if (members.has(suspect)) {
        role.suspect(suspect, evidence);
      } else {
        loseStranger(suspect, evidence, role.standing(suspect));
      }
      return;
    }
    var service = coordinator.service();
    if (service == null || coordinator.isCoordinator(suspect)) {
      own.cutOff("the coordinator is lost: " + evidence);
    } else {
      service
          .suspect(node.id(), suspect, evidence)
          .thenAccept(
              standing -> {
                if (!standing.isMember()) {
                  var reason = "it is no member of the grid any more";
                  var death = standing.death();
                  loseStranger(suspect, death.map(ExitReport::toString).orElse(reason), standing);
                }
              });
    }
  }

  /**
   * Loses a node that never was a member; a former member is lost with the announcement of its end.
   */
  private void loseStranger(NodeId id, String reason, MembershipView.Standing standing) {
    if (members.hasOrCompletes(id)) {
      return;
    }
    var peer = node.peers().known(id);
    if (peer != null && !peer.isLost()) {
      moving.lostBeforeJoin(id, standing.hadMoved());
      peer.lose(reason, standing.death().orElse(null));
      node.moved().died(id);
    }
  }
}
