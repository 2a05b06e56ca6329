package org.troupe.em3d.problem;

import org.troupe.em3d.physics.FieldKind;

/**
 * What is written of the fields while a run goes on, into the folder of its results: a value of the
 * problem, that those who write it read.
 */
public sealed interface OutputRequest {

  /** How many steps lie between two; the first is that of step 0. */
  int every();

  /**
   * Both fields of all cells, for ParaView.
   *
   * @param every steps between two, at least 1
   */
  record Vtk(int every) implements OutputRequest {}

  /**
   * One component in a plane at right angles to an axis.
   *
   * @param name what the files are called
   * @param component 0, 1 or 2
   * @param axis the one the plane is at right angles to: 0, 1 or 2
   * @param position of the plane on it, metres
   * @param every steps between two, at least 1
   */
  record Picture(String name, FieldKind field, int component, int axis, double position, int every)
      implements OutputRequest {

    /** The slice in the words of {@code --slice}. */
    public String slice() {
      return "%c=%s:%s%c".formatted("xyz".charAt(axis), position, field, "xyz".charAt(component));
    }
  }
}
