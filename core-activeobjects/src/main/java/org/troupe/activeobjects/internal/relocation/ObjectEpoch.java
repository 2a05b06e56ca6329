package org.troupe.activeobjects.internal.relocation;

/** An object in one of its epochs. Travels. */
public record ObjectEpoch(ObjectIdentity object, int epoch) {

  /** Returns the object in the epoch after the next move. */
  public ObjectEpoch next() {
    return new ObjectEpoch(object, epoch + 1);
  }
}
