package org.troupe.activeobjects.internal.relocation;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * The identity of an active object, which stays the same wherever the object is.
 *
 * @param birth the node on which the object was created
 * @param address the address at which that node can be reached; not part of the identity
 * @param number identifies the object among those created on that node
 */
public record ObjectIdentity(NodeId birth, String address, long number) {

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectIdentity its
        && number == its.number
        && birth.incarnation() == its.birth.incarnation();
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(birth.incarnation()) + Long.hashCode(number);
  }

  @Override
  public String toString() {
    return "object " + number + " of node '" + birth + "'";
  }
}
