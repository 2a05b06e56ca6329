package org.troupe.activeobjects.internal.listing;

import java.util.function.LongSupplier;

/** Whether a node must hold an object that has moved to it. Not thread-safe. */
public class GuestHold {

  /** The version of the hold on an object that is not here. */
  public static final long NONE = 0;

  private final LongSupplier versions;
  private long version;
  private boolean isHere;
  private boolean isReleased;

  /**
   * Creates the hold of an object that is not here.
   *
   * @param versions returns other positive numbers each time, also for later holds of the object
   */
  public GuestHold(LongSupplier versions) {
    this.versions = versions;
  }

  /** Records that the object is here, or is about to be. */
  public final void arrived() {
    isHere = true;
    used();
  }

  /** Records that the object has left or ended. */
  public final void left() {
    isHere = false;
  }

  /** Holds the object again: this node has given a copy, or sends a message by way of others. */
  public void used() {
    version = versions.getAsLong();
    isReleased = false;
  }

  /** Returns the version that {@link #release} needs; {@link #NONE} if the object is not here. */
  public final long version() {
    return isHere ? version : NONE;
  }

  /** Releases the object, unless it was used after a version. */
  public final void release(long known) {
    isReleased |= isUnused(known);
  }

  boolean isUnused(long known) {
    return known == version;
  }

  /** Returns whether the object is here. */
  public final boolean isHere() {
    return isHere;
  }

  /** Returns whether the object is here and must be held. */
  public final boolean holds() {
    return isHere && !isReleased;
  }
}
