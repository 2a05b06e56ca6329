package org.troupe.em3d.mesh;

import java.util.Arrays;
import java.util.Locale;

/** The choice of a partitioner for meshes from files. */
public enum MeshPartitioner {
  /** METIS if it is installed and may be called, otherwise the built-in bisection. */
  AUTO,

  /** METIS, or an error. */
  METIS,

  /** The built-in bisection, whose result is equal on every machine. */
  BUILT_IN;

  /**
   * The assignment of cells to parts.
   *
   * @param by description of the partitioner
   */
  record Owners(int[] ofCells, String by) {}

  /**
   * Assigns cells to parts, none of which is empty.
   *
   * @param neighbours {@code [4 * cell + face]}, negative where there is none
   * @param barycentres {@code [3 * cell + axis]}
   * @throws MeshException if the partitioner is not available
   */
  Owners owners(int[] neighbours, double[] barycentres, int parts) {
    int cells = neighbours.length / 4;
    if (parts == 1) {
      return new Owners(new int[cells], "not cut");
    }
    String why = "";
    if (this != BUILT_IN) {
      try {
        int[] owners = MetisLibrary.parts(neighbours, parts);
        requireNoneEmpty(owners, parts);
        return new Owners(owners, "METIS");
      } catch (MetisLibrary.Unavailable unavailable) {
        if (this == METIS) {
          throw new MeshException(
              "the mesh cannot be cut by METIS: "
                  + unavailable.getMessage()
                  + "; or leave the choice to the program",
              unavailable);
        }
        why = " (" + unavailable.getMessage() + ")";
      }
    }
    return new Owners(
        new RecursiveBisection(neighbours, barycentres, parts).owners(),
        "built-in bisection" + why);
  }

  private static void requireNoneEmpty(int[] owners, int parts) throws MetisLibrary.Unavailable {
    boolean[] used = new boolean[parts];
    Arrays.stream(owners).forEach(part -> used[part] = true);
    for (int part = 0; part < parts; part++) {
      if (!used[part]) {
        throw new MetisLibrary.Unavailable("METIS left part " + part + " of " + parts + " empty");
      }
    }
  }

  /** Returns the name of the option value. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
