package org.troupe.em3d.display;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.views.BoundingBox;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.SliceFrame;
import org.troupe.em3d.views.SlicePicture;
import org.troupe.em3d.views.SliceRaster;

/**
 * Assembles frames from the parts that the sub-domains send: an active object beside the collector,
 * which outlives the segments of the run. A step becomes visible only when all sub-domains have
 * sent their parts.
 *
 * <p>A file that cannot be written does not end the run; {@link #lastError} names it.
 */
public class FrameAssembler {

  /**
   * A file in the folder of the VTK pieces, by which a node recognises that it shares the folder.
   */
  static final String MARK = ".of-this-run";

  private static final int PICTURE_PIXELS = 400;
  private static final int LIVE_PIXELS = 128;
  private static final int BEFORE_FIRST = -1; // number of no segment

  private final OutputSpec spec;
  private final Path out;
  private final String mark = UUID.randomUUID().toString();
  private final Map<String, String> lastPictures = new LinkedHashMap<>(); // files by title
  private final Set<Integer> missing = new LinkedHashSet<>(); // steps that could not be written
  private String lastError = "";
  private final @Nullable VtkSeries vtk; // null: no VTK files are asked for
  private ViewRequest view; // of the present segment
  private @Nullable SegmentFrames frames; // null before the first segment

  /**
   * Prepares for a run.
   *
   * @param out the folder that files are written to; it must exist
   */
  public FrameAssembler(OutputSpec spec, String out) throws IOException {
    this.spec = spec;
    this.out = Path.of(out).toAbsolutePath();
    view = new ViewRequest(BEFORE_FIRST, "", mark, 0, List.of(), List.of());
    vtk = spec.vtkEvery() > 0 ? new VtkSeries(this.out) : null;
    if (vtk != null) {
      AtomicFile.write(vtk.folder().resolve(MARK), mark);
    }
  }

  // The launcher's side

  /**
   * Starts again with the sub-domains of the next segment, and drops the incomplete steps of the
   * last one.
   */
  public ViewRequest begin(BoundingBox bounds, int ranks) {
    if (vtk != null) {
      try {
        vtk.begin(ranks);
      } catch (IOException e) {
        lastError = "files in %s could not be removed: %s".formatted(vtk.folder(), e);
      }
    }
    List<SliceRaster> rasters = new ArrayList<>();
    spec.pictures()
        .forEach(picture -> rasters.add(SliceRaster.of(picture.slice(), bounds, PICTURE_PIXELS)));
    if (spec.live() != null) {
      rasters.add(SliceRaster.of(spec.live(), bounds, LIVE_PIXELS));
    }
    view =
        new ViewRequest(
            view.segment() + 1,
            vtk == null ? "" : vtk.folder().toString(),
            mark,
            spec.vtkEvery(),
            spec.pictures().stream().map(OutputSpec.Picture::every).toList(),
            List.copyOf(rasters));
    return view;
  }

  /** Takes the pixels that each sub-domain has of the view, in rank order. */
  public void divided(List<PixelOwnership> ownerships) {
    frames = new SegmentFrames(view, ownerships);
  }

  /** Returns the file of the last picture of each slice, relative to the folder of the run. */
  public List<String> lastPictures() {
    return List.copyOf(lastPictures.values());
  }

  /** Returns the last step that could not be written, and why; empty if there is none. */
  public String lastError() {
    return lastError;
  }

  /** Returns the steps with missing files. */
  public Set<Integer> missing() {
    return Set.copyOf(missing);
  }

  // The panel's side

  /**
   * The division of a raster.
   *
   * @param ranks the rank of the sub-domain at each pixel; -1 where there is no cell
   * @param nodes names of the sub-domains' nodes, by rank
   * @param haloWaits time that each sub-domain has waited for border values, as a fraction of its
   *     time loop
   */
  public record Parts(int width, int height, int[] ranks, List<String> nodes, double[] haloWaits) {}

  /** Returns the last frame of the panel; {@code null} before the first. */
  public @Nullable SliceFrame live() {
    return frames == null ? null : frames.live();
  }

  /** Returns the present division of the panel's raster; {@code null} before the first segment. */
  public @Nullable Parts parts() {
    return frames == null ? null : frames.parts();
  }

  /** Removes temporary files. */
  public void close() throws IOException {
    if (vtk != null) {
      vtk.removeUnfinished();
      Files.deleteIfExists(vtk.folder().resolve(MARK));
    }
  }

  // The sub-domains' side: each call has a reply, so that the caller waits

  /** Returns the VTK files; sub-domains write pieces only if these are asked for. */
  private VtkSeries vtk() {
    return Objects.requireNonNull(vtk, "VTK files are asked for");
  }

  /** Returns the frames; sub-domains send pixels only after {@link #divided}. */
  private SegmentFrames frames() {
    return Objects.requireNonNull(frames, "the view is divided among the sub-domains");
  }

  /** Returns whether a step still has to be written for VTK. */
  public boolean wants(int segment, FieldInstant moment) {
    return segment == view.segment() && vtk().wants(moment);
  }

  /** Appends bytes to the piece of a node that does not share the folder. */
  public boolean append(int segment, int rank, FieldInstant moment, byte[] bytes) {
    if (!wants(segment, moment)) {
      return false;
    }
    try {
      vtk().append(segment, moment, rank, bytes);
      return true;
    } catch (IOException e) {
      pieceFailed(segment, moment, AtomicFile.reason(e));
      return false;
    }
  }

  /** Reports that a sub-domain has written its piece. */
  public boolean written(int segment, int rank, FieldInstant moment) {
    if (wants(segment, moment)) {
      try {
        vtk().written(segment, moment, rank);
      } catch (IOException e) {
        pieceFailed(segment, moment, AtomicFile.reason(e));
      }
    } else {
      drop(segment, rank, moment);
    }
    return true;
  }

  private void drop(int segment, int rank, FieldInstant moment) {
    try {
      vtk().drop(segment, moment, rank);
    } catch (IOException e) {
      // No index names this file, and the end of the run tries to delete it again.
    }
  }

  /** Reports that a sub-domain could not write its piece. */
  public boolean pieceFailed(int segment, FieldInstant moment, String why) {
    if (wants(segment, moment)) {
      vtk().giveUp(moment);
      writeFailed(moment.step(), vtk().folder(), why);
    }
    return true;
  }

  private void writeFailed(int step, Path where, String why) {
    missing.add(step);
    lastError =
        "step %,d could not be written to %s: %s; the run goes on, and complete steps are kept"
            .formatted(step, where, why);
  }

  /** Takes a sub-domain's pixels of a raster. */
  public boolean frame(int segment, int rank, FieldInstant moment, int raster, float[] values) {
    if (segment != view.segment()) {
      return false;
    }
    var whole = frames().add(rank, moment, raster, values);
    if (view.isPicture(raster)) {
      whole.ifPresent(frame -> draw(spec.pictures().get(raster).name(), frame));
    }
    return true;
  }

  private void draw(String title, SliceFrame frame) {
    var name = "%s-%07d.png".formatted(title, frame.moment().step());
    try {
      AtomicFile.write(out.resolve(name), SlicePicture.png(frame));
      lastPictures.put(title, name);
    } catch (IOException e) {
      writeFailed(frame.moment().step(), out.resolve(name), AtomicFile.reason(e));
    }
  }

  /**
   * Takes the time that a sub-domain has waited for border values, and the duration of its time
   * loop.
   */
  public boolean pace(int segment, int rank, long waitNanos, long loopNanos) {
    if (segment == view.segment()) {
      frames().pace(rank, waitNanos, loopNanos);
    }
    return true;
  }
}
