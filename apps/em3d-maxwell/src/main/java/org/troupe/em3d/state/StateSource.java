package org.troupe.em3d.state;

/**
 * The view of a sub-domain that a {@link StateArchive} needs. This package must not know the
 * solver, so the archive asks for fields through this interface.
 */
public interface StateSource {

  /** Returns the fields of this part of the mesh; called between two steps. */
  FieldBlock piece();
}
