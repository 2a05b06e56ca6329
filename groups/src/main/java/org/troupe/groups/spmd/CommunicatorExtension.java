package org.troupe.groups.spmd;

import java.lang.ref.WeakReference;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
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
  private Object[] members; // stubs, by rank
  private String[] clusters; // of the members, by rank
  private transient Communicator communicator;
  private transient WeakReference<Communicator> weakCommunicator;

  CommunicatorExtension(Key key, Object[] members, String[] clusters, boolean isPart) {
    this.key = key;
    this.members = members;
    this.clusters = clusters;
    this.isSubgroup = isPart;
  }

  @Override
  public Key key() {
    return key;
  }

  @Override
  public void attached(Ref<?> self) {
    communicator = new Communicator(key, self, members, clusters, isSubgroup);
    weakCommunicator = new WeakReference<>(communicator);
    members = null; // the communicator has them
    clusters = null;
  }

  @Override
  public void received(int from, long tag, Parcel parcel) {
    var its = communicator();
    if (its != null) {
      its.received(from, tag, parcel);
    }
  }

  @Override
  public ReceiveBuffer receiveBuffer(int from, long tag, Class<?> element, int length) {
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
  public boolean isOver() {
    return communicator() == null;
  }

  /** Returns the communicator; {@code null} if it was one of a subgroup and has been collected. */
  Communicator communicator() {
    var its = communicator;
    return its == null ? weakCommunicator.get() : its;
  }

  /**
   * Returns the communicator for the caller to keep; from then on the extension refers to that of a
   * subgroup only weakly.
   */
  Communicator release() {
    var its = communicator;
    if (isSubgroup) {
      communicator = null;
    }
    return its;
  }

  boolean isSubgroup() {
    return isSubgroup;
  }
}
