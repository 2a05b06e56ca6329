package org.troupe.em3d.problem;

import org.troupe.em3d.physics.FieldKind;

/** An output of the fields during a run, which a problem asks for. */
public sealed interface OutputRequest {

  /** The number of steps between two outputs; the first is at step 0. */
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
   * @param name the prefix of the file names
   * @param component 0, 1 or 2
   * @param axis the axis normal to the plane: 0, 1 or 2
   * @param position of the plane on it, metres
   * @param every steps between two, at least 1
   */
  record Picture(String name, FieldKind field, int component, int axis, double position, int every)
      implements OutputRequest {

    /** Returns the slice in the form of the option {@code --slice}. */
    public String slice() {
      return "%c=%s:%s%c".formatted("xyz".charAt(axis), position, field, "xyz".charAt(component));
    }
  }
}
