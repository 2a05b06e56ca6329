package org.troupe.groups.spmd;

import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.activeobjects.transport.ReceiveBuffer;

/** Carries a communicator to each member of an SPMD group. */
class CommunicatorExtension implements BodyExtension {

  /*
   * Lifetime
   *
   * Only the object itself knows its communicator in a subgroup, through the view that Spmd.split
   * returned. The communicator lives as long as that view, or as a barrier of the subgroup that has
   * not been passed.
   */
  private final Key key;
  private final boolean isSubgroup; // made by a split
  private Object @Nullable [] members; // stubs, by rank
  private MemberLocation @Nullable [] locations; // of the members, by rank
  private final @Nullable Key series; // of the checkpoints that go on; null for the group's own
  private transient @Nullable Communicator communicator;
  private transient @Nullable WeakReference<Communicator> weakCommunicator;

  CommunicatorExtension(Key key, Object[] members, MemberLocation[] locations, boolean isPart) {
    this(key, members, locations, isPart, null);
  }

  private CommunicatorExtension(
      Key key, Object[] members, MemberLocation[] locations, boolean isPart, @Nullable Key series) {
    this.series = series;
    this.key = key;
    this.members = members;
    this.locations = locations;
    this.isSubgroup = isPart;
  }

  /** Returns the extension for the members of a group that was restored from a checkpoint. */
  static CommunicatorExtension restored(
      Key key, Object[] members, MemberLocation[] locations, Key series) {
    return new CommunicatorExtension(key, members, locations, false, series);
  }

  @Override
  public Key key() {
    return key;
  }

  @Override
  public void attached(Ref<?> self) {
    var its =
        new Communicator(
            key,
            self,
            Objects.requireNonNull(members, "attached once"),
            Objects.requireNonNull(locations, "attached once"),
            isSubgroup);
    if (series != null) {
      its.checkpoints().continues(series);
    }
    communicator = its;
    weakCommunicator = new WeakReference<>(its);
    members = null; // the communicator has them
    locations = null;
  }

  @Override
  public void received(int from, long tag, Packet packet) {
    var its = communicator();
    if (its != null) {
      its.received(from, tag, packet);
    }
  }

  @Override
  public @Nullable ReceiveBuffer receiveBuffer(int from, long tag, Class<?> element, int length) {
    var its = communicator();
    return its == null ? null : its.receiveBuffer(from, tag, element, length);
  }

  @Override
  public void lost(NodeId node, String why) {
    var its = communicator();
    if (its != null) {
      its.lost(node, why);
    }
  }

  @Override
  public @Nullable GroupStanding standing() {
    var its = communicator();
    return its == null ? null : its.standing();
  }

  @Override
  public boolean isOver() {
    return communicator() == null;
  }

  /** Returns the communicator; {@code null} if it was one of a subgroup and has been collected. */
  @Nullable Communicator communicator() {
    var its = communicator;
    var weak = weakCommunicator;
    return its != null || weak == null ? its : weak.get();
  }

  /**
   * Returns the communicator for the caller to keep; from then on the extension refers to that of a
   * subgroup only weakly.
   */
  Communicator release() {
    var its = Objects.requireNonNull(communicator, "attached and not released");
    if (isSubgroup) {
      communicator = null;
    }
    return its;
  }

  boolean isSubgroup() {
    return isSubgroup;
  }
}
