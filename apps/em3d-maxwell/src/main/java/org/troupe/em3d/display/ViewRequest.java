package org.troupe.em3d.display;

import java.util.List;
import org.troupe.em3d.views.SliceRaster;

/**
 * What the sub-domains of a leg are to show, and when.
 *
 * @param leg the number of the leg, so that what comes late is known
 * @param folder where files of VTK belong; empty: there are none
 * @param mark what a file {@link FrameAssembler#MARK} in that folder says, for those that share it
 * @param vtkEvery how many steps lie between two that are written for VTK; 0 for none
 * @param picturesEvery how many steps lie between two pictures of each slice; 0 for none before the
 *     end
 * @param rasters of the pictures, and behind them that of the live page, if there is one
 */
public record ViewRequest(
    int leg,
    String folder,
    String mark,
    int vtkEvery,
    List<Integer> picturesEvery,
    List<SliceRaster> rasters) {

  boolean isPicture(int raster) {
    return raster < picturesEvery.size();
  }

  /** Whether there is a live page. */
  public boolean isLive() {
    return rasters.size() > picturesEvery.size();
  }
}
