package org.troupe.groups.spmd;

import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.BodyVisit;
import org.troupe.activeobjects.collective.Collectives;

/**
 * The request of a checkpoint to each member.
 *
 * @param key identifies the checkpoint
 * @param type the name of the members' class or interface
 * @param members the stubs of the members, by rank
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CheckpointVisit(Key key, Store store, String type, Object[] members) implements BodyVisit {

  @Override
  public Object visit(Ref<?> self) {
    for (var each :
        Collectives.current().extensionsOfCurrent(CommunicatorExtension.class).reversed()) {
      var its = each.communicator();
      if (its != null && !each.isSubgroup() && its.isOf(members)) {
        return its.checkpoints().begin(this, self);
      }
    }
    throw new IllegalStateException(
        "%s is no member of a group in step of these %d members, so it has no checkpoint with them; make groups with Groups.on(..).spmd(..), and give whole groups"
            .formatted(self, members.length));
  }

  /** Releases a member from a checkpoint that has failed at another. */
  record Abandonment(Key key, Key checkpoint) implements BodyExtension {

    @Override
    public void attached(Ref<?> self) {
      for (var each : Collectives.current().extensionsOfCurrent(CommunicatorExtension.class)) {
        var its = each.communicator();
        if (its != null && !each.isSubgroup()) {
          its.checkpoints().abandon(checkpoint);
        }
      }
    }

    @Override
    public boolean isOver() {
      return true;
    }

    @Override
    public void received(int from, long tag, Packet packet) {
      // No packet is sent to this key.
    }

    @Override
    public void lost(NodeId node, String why) {
      // It depends on no other node.
    }
  }
}
