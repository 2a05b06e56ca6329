package org.troupe.em3d.display;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.problem.OutputRequest;
import org.troupe.em3d.views.FieldSlice;

/**
 * The pictures and files of fields that a run is asked for.
 *
 * @param vtkEvery the number of steps between two that are written for VTK; 0 for none
 * @param pictures the slices to be drawn to files
 * @param live the slice of the panel; {@code null} for none
 */
public record OutputSpec(int vtkEvery, List<Picture> pictures, @Nullable FieldSlice live) {

  /**
   * Pictures of a slice.
   *
   * @param name the prefix of the file names, to which the step is added
   * @param every the number of steps between two pictures; 0 for a picture of the end only
   */
  public record Picture(String name, FieldSlice slice, int every) {}

  /** Returns this specification with the outputs of a problem added; options take precedence. */
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

  /** Returns whether sub-domains have to send anything. */
  public boolean isNeeded() {
    return vtkEvery > 0 || !pictures.isEmpty() || live != null;
  }
}
