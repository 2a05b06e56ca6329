package org.troupe.em3d.display;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.views.BoundingBox;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.SliceFrame;
import org.troupe.em3d.views.SlicePicture;
import org.troupe.em3d.views.SliceRaster;

/**
 * Puts together what the sub-domains show: an active object beside the collector, which outlives
 * the legs of the run. Nothing of a step is seen before all sub-domains have shown it.
 *
 * <p>That a file cannot be written is no reason to end a run; {@link #trouble} tells of it.
 */
public class FrameAssembler {

  /** In the folder of VTK's pieces: tells nodes that it is the same folder where they are. */
  static final String MARK = ".of-this-run";

  private static final int PICTURE_PIXELS = 400;
  private static final int LIVE_PIXELS = 128;

  private final OutputSpec looks;
  private final Path out;
  private final String mark = UUID.randomUUID().toString();
  private final Map<String, String> lastPictures = new LinkedHashMap<>(); // files by title
  private final Set<Integer> missing = new LinkedHashSet<>(); // steps that could not be written
  private String trouble = "";
  private VtkSeries vtk; // null: none
  private ViewRequest view;
  private SegmentFrames frames;

  /**
   * Opens for a run.
   *
   * @param out the folder that files are written to; it must be there
   */
  public FrameAssembler(OutputSpec looks, String out) throws IOException {
    this.looks = looks;
    this.out = Path.of(out).toAbsolutePath();
    if (looks.vtkEvery() > 0) {
      vtk = new VtkSeries(this.out);
      AtomicFile.write(vtk.folder().resolve(MARK), mark);
    }
  }

  // The launcher's side

  /**
   * Begins anew with the sub-domains of the next leg, and drops what those of the last one have not
   * completed.
   */
  public ViewRequest begin(BoundingBox bounds, int ranks) {
    if (vtk != null) {
      try {
        vtk.begin(ranks);
      } catch (IOException e) {
        trouble = "files in %s could not be removed: %s".formatted(vtk.folder(), e);
      }
    }
    List<SliceRaster> rasters = new ArrayList<>();
    looks
        .pictures()
        .forEach(picture -> rasters.add(SliceRaster.of(picture.slice(), bounds, PICTURE_PIXELS)));
    if (looks.live() != null) {
      rasters.add(SliceRaster.of(looks.live(), bounds, LIVE_PIXELS));
    }
    view =
        new ViewRequest(
            view == null ? 0 : view.leg() + 1,
            vtk == null ? "" : vtk.folder().toString(),
            mark,
            looks.vtkEvery(),
            looks.pictures().stream().map(OutputSpec.Picture::every).toList(),
            List.copyOf(rasters));
    return view;
  }

  /** Learns what the sub-domains have of the view, in rank order. */
  public void divided(List<PixelOwnership> claims) {
    frames = new SegmentFrames(view, claims);
  }

  /** The file of the last picture of each slice, as seen from the folder of the run. */
  public List<String> lastPictures() {
    return List.copyOf(lastPictures.values());
  }

  /** What could not be written last, and why; empty if all is well. */
  public String trouble() {
    return trouble;
  }

  /** The steps of which something is missing. */
  public Set<Integer> missing() {
    return Set.copyOf(missing);
  }

  // The live page's side

  /**
   * How a raster is divided.
   *
   * @param ranks of the sub-domains, for each pixel; -1 where no cell is
   * @param nodes their names, by rank
   */
  public record Parts(int width, int height, int[] ranks, List<String> nodes) {}

  /**
   * How far the live page is.
   *
   * @param leg changes with the division
   * @param step of the last frame; -1 before the first
   * @param nodes of the sub-domains, by rank
   * @param haloWaits of the sub-domains, as fractions of their time
   */
  public record Pace(int leg, int step, List<String> nodes, double[] haloWaits) {}

  /** Returns how far it is; {@code null} while nothing is divided yet. */
  public Pace pace() {
    return frames == null
        ? null
        : new Pace(
            view.leg(),
            frames.live() == null ? -1 : frames.live().moment().step(),
            frames.parts().nodes(),
            frames.haloWaits());
  }

  /** Returns the last frame; {@code null} before the first. */
  public SliceFrame live() {
    return frames == null ? null : frames.live();
  }

  /** Returns the present division; {@code null} while there is none. */
  public Parts parts() {
    return frames == null ? null : frames.parts();
  }

  /** Tidies up. */
  public void close() throws IOException {
    if (vtk != null) {
      vtk.removeUnfinished();
      Files.deleteIfExists(vtk.folder().resolve(MARK));
    }
  }

  // The sub-domains' side: all answer, so that they wait

  /** Says whether a step is still to be written for VTK. */
  public boolean wants(int leg, FieldInstant moment) {
    return leg == view.leg() && vtk.wants(moment);
  }

  /** Takes some bytes of a piece from a node that does not share the folder. */
  public boolean append(int leg, int rank, FieldInstant moment, byte[] bytes) {
    if (!wants(leg, moment)) {
      return false;
    }
    try {
      vtk.append(leg, moment, rank, bytes);
      return true;
    } catch (IOException e) {
      spoiled(leg, moment, AtomicFile.reason(e));
      return false;
    }
  }

  /** A sub-domain has written its piece. */
  public boolean written(int leg, int rank, FieldInstant moment) {
    if (wants(leg, moment)) {
      try {
        vtk.written(leg, moment, rank);
      } catch (IOException e) {
        spoiled(leg, moment, AtomicFile.reason(e));
      }
    } else {
      drop(leg, rank, moment);
    }
    return true;
  }

  private void drop(int leg, int rank, FieldInstant moment) {
    try {
      vtk.drop(leg, moment, rank);
    } catch (IOException e) {
      // It is in no index, and the end of the run tries once more.
    }
  }

  /** A sub-domain could not write its piece. */
  public boolean spoiled(int leg, FieldInstant moment, String why) {
    if (wants(leg, moment)) {
      vtk.spoil(moment);
      lose(moment.step(), vtk.folder(), why);
    }
    return true;
  }

  private void lose(int step, Path where, String why) {
    missing.add(step);
    trouble =
        "step %,d could not be written to %s: %s; the run goes on, and what was complete is still there"
            .formatted(step, where, why);
  }

  /** Takes a sub-domain's values of a raster. */
  public boolean frame(int leg, int rank, FieldInstant moment, int raster, float[] values) {
    if (leg != view.leg()) {
      return false;
    }
    var whole = frames.add(rank, moment, raster, values);
    if (whole != null && view.isPicture(raster)) {
      draw(looks.pictures().get(raster).name(), whole);
    }
    return true;
  }

  private void draw(String title, SliceFrame frame) {
    var name = "%s-%07d.png".formatted(title, frame.moment().step());
    try {
      AtomicFile.write(out.resolve(name), SlicePicture.png(frame));
      lastPictures.put(title, name);
    } catch (IOException e) {
      lose(frame.moment().step(), out.resolve(name), AtomicFile.reason(e));
    }
  }

  /** Takes how long a sub-domain has waited for borders, of the time it has run. */
  public boolean pace(int leg, int rank, long waitNanos, long loopNanos) {
    if (leg == view.leg()) {
      frames.pace(rank, waitNanos, loopNanos);
    }
    return true;
  }
}
