package org.troupe.em3d.display;

import java.util.List;
import org.troupe.em3d.views.SliceRaster;

/**
 * The outputs that the sub-domains of a segment have to send, and when.
 *
 * @param segment the number of the segment, by which late messages of an earlier one are recognised
 * @param folder the folder of VTK files; empty for none
 * @param mark the content of the file {@link FrameAssembler#MARK} in that folder, by which nodes
 *     that share it recognise it
 * @param vtkEvery the number of steps between two that are written for VTK; 0 for none
 * @param picturesEvery for each slice, the number of steps between two pictures; 0 for a picture of
 *     the end only
 * @param rasters the rasters of the pictures, followed by that of the panel, if there is one
 */
public record ViewRequest(
    int segment,
    String folder,
    String mark,
    int vtkEvery,
    List<Integer> picturesEvery,
    List<SliceRaster> rasters) {

  boolean isPicture(int raster) {
    return raster < picturesEvery.size();
  }

  /** Returns whether there is a panel. */
  public boolean isLive() {
    return rasters.size() > picturesEvery.size();
  }
}
