package org.troupe.groups;

import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.spi.Attachment;

/** An object's place in a group whose members go in step, as it travels to each of them. */
final class Enrolment implements Attachment {

  private final Key key;
  private final Object[] members; // stubs, by rank
  private final String[] clusters; // where they are, by rank
  private final boolean isPart; // of another, by a split
  private transient Place place;

  Enrolment(Key key, Object[] members, String[] clusters, boolean isPart) {
    this.key = key;
    this.members = members;
    this.clusters = clusters;
    this.isPart = isPart;
  }

  @Override
  public Key key() {
    return key;
  }

  @Override
  public void attached(Ref<?> self) {
    place = new Place(key, self, members, clusters);
  }

  @Override
  public void received(int from, long tag, Parcel parcel) {
    place.received(from, tag, parcel);
  }

  @Override
  public void lost(NodeId node, String reason) {
    place.lost(node, reason);
  }

  Place place() {
    return place;
  }

  boolean isPart() {
    return isPart;
  }
}
