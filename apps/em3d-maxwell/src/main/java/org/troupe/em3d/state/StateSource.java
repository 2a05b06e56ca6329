package org.troupe.em3d.state;

/**
 * A sub-domain as far as a {@link StateArchive} knows it. The archive lies below the solver and
 * outlives it, so it asks for fields by this interface.
 */
public interface StateSource {

  /** Returns the fields of this part of the mesh; called while it rests between two steps. */
  FieldBlock piece();
}
