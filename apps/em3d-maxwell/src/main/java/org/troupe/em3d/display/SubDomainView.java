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
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.RasterSampler;
import org.troupe.em3d.views.VtkPiece;

/**
 * Sends the pixels of slices and the VTK piece of one sub-domain to the assembler. It exists only
 * if output is asked for. Each call to the assembler waits for the reply, so that calls do not pile
 * up.
 */
public final class SubDomainView {

  private static final int CHUNK = 1 << 20; // bytes sent per call
  private static final int NEVER = Integer.MAX_VALUE;

  private final ViewRequest view;
  private final SubDomain subDomain;
  private final FrameAssembler assembler;
  private final List<RasterSampler> samplers;
  private final VtkPiece piece;
  private final boolean sharesFolder;
  private int live = NEVER; // the next step for the panel

  /**
   * Finds the pixels of a view that lie in a sub-domain.
   *
   * @param corners the corners of the sub-domain's cells
   * @param assembler receives the pixels and the VTK pieces
   */
  public SubDomainView(
      ViewRequest view, SubDomain subDomain, CellCorners corners, FrameAssembler assembler) {
    this.view = view;
    this.subDomain = subDomain;
    this.assembler = assembler;
    var numbers = subDomain.mesh().globalCells();
    samplers =
        view.rasters().stream().map(raster -> new RasterSampler(raster, corners, numbers)).toList();
    piece = new VtkPiece(corners, subDomain.rank());
    sharesFolder = view.vtkEvery() > 0 && isShared(view);
  }

  /**
   * Returns the pixels of the view that lie in this sub-domain.
   *
   * @param node the name of the sub-domain's node
   */
  public PixelOwnership pixels(String node) {
    var numbers = subDomain.mesh().globalCells();
    return new PixelOwnership(
        node,
        samplers.stream().map(RasterSampler::pixels).toList(),
        samplers.stream().map(sampler -> sampler.numbers(numbers)).toList());
  }

  /** Returns whether this node shares the assembler's folder and can write to it. */
  private static boolean isShared(ViewRequest view) {
    var folder = Path.of(view.folder());
    try {
      return Files.readString(folder.resolve(FrameAssembler.MARK)).equals(view.mark())
          && Files.isWritable(folder);
    } catch (IOException e) {
      return false; // the folder of another machine
    }
  }

  public void liveAt(int step) {
    live = step;
  }

  /** Returns the next step at which something has to be sent. */
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

  /** Sends the outputs of the present step; all of them at the end of the run. */
  public void show(FieldInstant moment, boolean end, long waitNanos, long loopNanos) {
    if (view.vtkEvery() > 0 && (end || isDue(view.vtkEvery(), moment.step()))) {
      write(moment);
    }
    for (var k = 0; k < samplers.size(); k++) {
      if (end
          || (view.isPicture(k)
              ? isDue(view.picturesEvery().get(k), moment.step())
              : moment.step() == live)) {
        assembler.frame(
            view.segment(), subDomain.rank(), moment, k, samplers.get(k).sample(subDomain));
      }
    }
    if (moment.step() == live || view.isLive() && end) {
      assembler.pace(view.segment(), subDomain.rank(), waitNanos, loopNanos);
    }
  }

  private static boolean isDue(int every, int step) {
    return every > 0 && step % every == 0;
  }

  private void write(FieldInstant moment) {
    if (!assembler.wants(view.segment(), moment)) {
      return; // written already, or another sub-domain could not write its piece
    }
    try {
      if (sharesFolder) {
        AtomicFile.create(
            VtkSeries.unfinished(Path.of(view.folder()), view.segment(), moment, subDomain.rank()),
            file -> write(Channels.newOutputStream(file), moment));
      } else {
        try (var out = there(moment)) {
          write(out, moment);
        }
      }
    } catch (IOException e) {
      assembler.pieceFailed(view.segment(), moment, AtomicFile.reason(e));
      return;
    }
    assembler.written(view.segment(), subDomain.rank(), moment);
  }

  private void write(OutputStream out, FieldInstant moment) throws IOException {
    piece.write(out, moment, subDomain.means(FieldKind.E), subDomain.means(FieldKind.H));
  }

  private OutputStream there(FieldInstant moment) {
    return new BufferedOutputStream(new AssemblerOutput(moment), CHUNK);
  }

  /** Sends a file to the assembler, which may be on another machine. */
  private final class AssemblerOutput extends OutputStream {

    private final FieldInstant moment;

    AssemblerOutput(FieldInstant moment) {
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
      if (!assembler.append(view.segment(), subDomain.rank(), moment, chunk)) {
        throw new IOException("the launcher could not write it");
      }
    }
  }
}
