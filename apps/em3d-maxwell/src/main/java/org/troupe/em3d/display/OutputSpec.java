package org.troupe.em3d.display;

import java.util.ArrayList;
import java.util.List;
import org.troupe.em3d.problem.OutputRequest;
import org.troupe.em3d.views.FieldSlice;

/**
 * What is to be seen of a run, other than its figures.
 *
 * @param vtkEvery how many steps lie between two that are written for VTK; 0 for none
 * @param pictures what there are to be pictures of
 * @param live the slice that is shown while the run goes on; {@code null} for none
 */
public record OutputSpec(int vtkEvery, List<Picture> pictures, FieldSlice live) {

  /**
   * Pictures of a slice.
   *
   * @param name what their files are called, but for the step
   * @param every how many steps lie between two; 0 for that of the end only
   */
  public record Picture(String name, FieldSlice slice, int every) {}

  /** These and what a problem asks for; options win. */
  public OutputSpec and(List<OutputRequest> outputs) {
    var every = vtkEvery;
    List<Picture> all = new ArrayList<>(pictures);
    for (var output : outputs) {
      switch (output) {
        case OutputRequest.Vtk vtk -> every = vtkEvery > 0 ? vtkEvery : vtk.every();
        case OutputRequest.Picture picture ->
            all.add(
                new Picture(picture.name(), FieldSlice.parse(picture.slice()), picture.every()));
      }
    }
    return new OutputSpec(every, all, live);
  }

  /** Whether sub-domains have to show anything. */
  public boolean isNeeded() {
    return vtkEvery > 0 || !pictures.isEmpty() || live != null;
  }
}
