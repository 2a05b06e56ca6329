package org.troupe.em3d;

import java.util.List;
import org.troupe.em3d.views.Slice;

/**
 * What is to be seen of a run, other than its figures.
 *
 * @param vtkEvery how many steps lie between two that are written for VTK; 0 for none
 * @param pictures what there are to be pictures of
 * @param live the slice that is shown while the run goes on; {@code null} for none
 */
record Looks(int vtkEvery, List<Picture> pictures, Slice live) {

  /**
   * Pictures of a slice.
   *
   * @param name what their files are called, but for the step
   * @param every how many steps lie between two; 0 for that of the end only
   */
  record Picture(String name, Slice slice, int every) {}

  /** Whether sub-domains have to show anything. */
  boolean isNeeded() {
    return vtkEvery > 0 || !pictures.isEmpty() || live != null;
  }
}
