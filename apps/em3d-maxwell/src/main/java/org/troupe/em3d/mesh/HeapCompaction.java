package org.troupe.em3d.mesh;

/** Collects the arrays that a phase of the set-up of a large mesh leaves behind. */
public final class HeapCompaction {

  /*
   * Each phase allocates some arrays as long as the mesh. They do not fill the heap, so the JVM would take further
   * memory from the system for the next phase instead of collecting them: a quarter of the peak of a run.
   * A collection takes 20 ms for 500,000 cells, as few objects are alive.
   */

  /** With fewer cells, a collection costs more than the memory is worth. */
  private static final int FEWEST_CELLS = 100_000;

  private HeapCompaction() {}

  /** Collects, if the mesh is large; to be called when a phase has ended. */
  public static void afterPhase(int cells) {
    if (cells >= FEWEST_CELLS) {
      System.gc();
    }
  }
}
