package org.troupe.em3d.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.display.OutputSpec;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.output.OutFolder;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.views.FieldSlice;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of the results and pictures of a run. */
final class OutputOptions {

  private static final int Z = 2;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "a new folder for energy.csv, report.json, report.html, fields and pictures")
  private @Nullable Path out;

  @Option(names = "--overwrite", description = "replace the folder of --out, if a run has made it")
  private boolean overwrite;

  @Option(
      names = "--vtk",
      paramLabel = "N",
      description =
          "write the fields of every N-th step and of the end for ParaView: open fields.pvd")
  private @Nullable Integer vtkEvery;

  @Option(
      names = "--slice",
      paramLabel = "AXIS=X:COMPONENT",
      converter = SliceConverter.class,
      description =
          "draw a component in a plane, such as z=0.5:Ez, or z=0.5:E for the magnitude; may be"
              + " repeated")
  private List<FieldSlice> slices = new ArrayList<>();

  @Option(
      names = "--slice-every",
      paramLabel = "N",
      description = "draw the slices of every N-th step (default: only at the end)")
  private @Nullable Integer slicesEvery;

  @Option(
      names = "--live",
      description =
          "serve the dashboard, and show the run on a panel of it: the first slice, or Ez across the"
              + " middle of the mesh, the energy, the nodes, and buttons to pause and stop; starts a"
              + " JVM also for a short run")
  private boolean live;

  private static final class SliceConverter implements CommandLine.ITypeConverter<FieldSlice> {
    @Override
    public FieldSlice convert(String text) {
      try {
        return FieldSlice.parse(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }

  /** Reports errors of these options. */
  void check(OptionErrors wrong) {
    if (out != null) {
      OutFolder.problem(out, overwrite).ifPresent(wrong::add);
    }
    if (out == null && overwrite) {
      wrong.add("--overwrite replaces the folder of --out DIR; add that, or leave it out");
    }
    if (vtkEvery != null && vtkEvery < 1) {
      wrong.add("--vtk " + vtkEvery + ": give at least 1 step, or leave it out");
    }
    if (slicesEvery != null && slicesEvery < 1) {
      wrong.add("--slice-every " + slicesEvery + ": give at least 1 step, or leave it out");
    }
    if (slicesEvery != null && slices.isEmpty()) {
      wrong.add("--slice-every says when to draw what --slice names; add --slice z=0.5:Ez");
    }
    if (out == null && (vtkEvery != null || !slices.isEmpty())) {
      wrong.add("--vtk and --slice write into the folder of --out DIR; add that");
    }
  }

  /** Reports errors of these options for this mesh. */
  void check(OptionErrors wrong, WholeMesh mesh) {
    for (var slice : slices) {
      double low = mesh.low(slice.axis());
      double high = mesh.high(slice.axis());
      if (slice.at() < low || slice.at() > high) {
        wrong.add(
            "--slice %s: the plane does not cut the mesh, which reaches from %c=%.4g to %.4g m"
                .formatted(slice, slice.axisName(), low, high));
      }
    }
  }

  /** Returns whether a panel of the dashboard shows the run. */
  boolean isLive() {
    return live;
  }

  /** Returns the folder, or {@code null}. */
  @Nullable Path out() {
    return out;
  }

  /** Returns the outputs that these options ask for on this mesh. */
  OutputSpec outputSpec(WholeMesh mesh) {
    var every = slicesEvery == null ? 0 : slicesEvery;
    return new OutputSpec(
        vtkEvery == null ? 0 : vtkEvery,
        slices.stream()
            .map(slice -> new OutputSpec.Picture(slice.fileName(), slice, every))
            .toList(),
        live ? slices.isEmpty() ? middle(mesh) : slices.getFirst() : null);
  }

  private static FieldSlice middle(WholeMesh mesh) {
    return new FieldSlice(Z, (mesh.low(Z) + mesh.high(Z)) / 2, FieldKind.E, Z);
  }
}
