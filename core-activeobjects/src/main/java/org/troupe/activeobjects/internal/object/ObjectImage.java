package org.troupe.activeobjects.internal.object;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.internal.listing.ObjectName;

/** A copy of an object of this node, for as long as it is on trial. */
public interface ObjectImage {

  /** Makes the images of a node. */
  @FunctionalInterface
  interface Maker {

    /**
     * Copies an object, on the thread that serves it.
     *
     * @throws RuntimeException if it cannot be copied
     */
    ObjectImage of(Object object);
  }

  /** Returns the objects to which the object refers. */
  List<ObjectName> names();

  /** Replaces the references to some objects by their names, which do not hold the objects. */
  void nameOnly(Set<ObjectName> objects);

  /**
   * Makes the object again. References that were made from names are told to the hosts.
   *
   * @param told the hosts, to which they are added
   */
  Object make(Collection<RemoteNode> told);
}
