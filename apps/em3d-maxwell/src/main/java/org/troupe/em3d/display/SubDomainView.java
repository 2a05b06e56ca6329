package org.troupe.em3d.display;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.maxwell.SubDomain;
import org.troupe.em3d.mesh.CellCorners;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.views.BoundingBox;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.RasterSampler;
import org.troupe.em3d.views.VtkPiece;

/**
 * What a sub-domain shows of itself: pixels of slices, and files of VTK. There is none where nobody
 * looks. Each call to the gallery waits, so nothing piles up on the way.
 */
public final class SubDomainView {

  private static final int CHUNK = 1 << 20; // bytes that travel at once
  private static final int NEVER = Integer.MAX_VALUE;

  private final SubDomain cells;
  private final CellCorners corners;
  private ViewRequest view;
  private List<RasterSampler> samplers;
  private VtkPiece piece;
  private FrameAssembler gallery; // null: it is not time yet
  private boolean sharesFolder;
  private int live = NEVER; // the step to be shown on the live page next

  public SubDomainView(MeshPart part, SubDomain cells) {
    this.cells = cells;
    this.corners = part.corners();
  }

  public BoundingBox bounds() {
    return BoundingBox.around(corners);
  }

  /** Looks up what it has of the view. */
  public PixelOwnership locate(ViewRequest itsView, String node) {
    view = itsView;
    var numbers = cells.mesh().globalCells();
    samplers =
        view.rasters().stream().map(raster -> new RasterSampler(raster, corners, numbers)).toList();
    piece = new VtkPiece(corners, cells.rank());
    sharesFolder = view.vtkEvery() > 0 && isShared();
    return new PixelOwnership(
        node,
        samplers.stream().map(RasterSampler::pixels).toList(),
        samplers.stream().map(sampler -> sampler.numbers(numbers)).toList());
  }

  /** Says whether the gallery's folder is one that we can write to as well. */
  private boolean isShared() {
    var folder = Path.of(view.folder());
    try {
      return Files.readString(folder.resolve(FrameAssembler.MARK)).equals(view.mark())
          && Files.isWritable(folder);
    } catch (IOException e) {
      return false; // of another machine
    }
  }

  public void open(FrameAssembler itsGallery) {
    gallery = itsGallery;
  }

  public void liveAt(int step) {
    live = step;
  }

  /** The next step at which something is to be shown. */
  public int next(int step) {
    var next = Math.min(live > step ? live : NEVER, multiple(view.vtkEvery(), step));
    for (var every : view.picturesEvery()) {
      next = Math.min(next, multiple(every, step));
    }
    return next;
  }

  private static int multiple(int every, int step) {
    return every == 0 ? NEVER : (int) Math.min(NEVER, (step / every + 1L) * every);
  }

  /** Shows what is to be seen at the present step; everything, if it is the end. */
  public void show(FieldInstant moment, boolean end, long waitNanos, long loopNanos) {
    if (view.vtkEvery() > 0 && (end || isDue(view.vtkEvery(), moment.step()))) {
      write(moment);
    }
    for (var k = 0; k < samplers.size(); k++) {
      if (end
          || (view.isPicture(k)
              ? isDue(view.picturesEvery().get(k), moment.step())
              : moment.step() == live)) {
        gallery.frame(view.leg(), cells.rank(), moment, k, samplers.get(k).sample(cells));
      }
    }
    if (moment.step() == live || view.isLive() && end) {
      gallery.pace(view.leg(), cells.rank(), waitNanos, loopNanos);
    }
  }

  private static boolean isDue(int every, int step) {
    return every > 0 && step % every == 0;
  }

  private void write(FieldInstant moment) {
    if (!gallery.wants(view.leg(), moment)) {
      return; // it is there already, or another sub-domain could not write its piece
    }
    try {
      if (sharesFolder) {
        AtomicFile.create(
            VtkSeries.unfinished(Path.of(view.folder()), view.leg(), moment, cells.rank()),
            file -> write(Channels.newOutputStream(file), moment));
      } else {
        try (var out = there(moment)) {
          write(out, moment);
        }
      }
    } catch (IOException e) {
      gallery.spoiled(view.leg(), moment, AtomicFile.reason(e));
      return;
    }
    gallery.written(view.leg(), cells.rank(), moment);
  }

  private void write(OutputStream out, FieldInstant moment) throws IOException {
    piece.write(out, moment, cells.means(FieldKind.E), cells.means(FieldKind.H));
  }

  private OutputStream there(FieldInstant moment) {
    return new BufferedOutputStream(new ToGallery(moment), CHUNK);
  }

  /** Carries a file to the gallery, which may be on another machine. */
  private final class ToGallery extends OutputStream {

    private final FieldInstant moment;

    ToGallery(FieldInstant moment) {
      this.moment = moment;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      var chunk = new byte[length];
      System.arraycopy(bytes, offset, chunk, 0, length);
      if (!gallery.append(view.leg(), cells.rank(), moment, chunk)) {
        throw new IOException("the launcher could not write it");
      }
    }
  }
}
