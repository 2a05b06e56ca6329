package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.FieldKind;

/** Reads the outputs that a problem file asks for. */
final class OutputReader {

  private final ProblemElement root;
  private final @Nullable WholeMesh mesh; // null if it could not be read

  OutputReader(ProblemElement root, @Nullable WholeMesh mesh) {
    this.root = root;
    this.mesh = mesh;
  }

  List<OutputRequest> outputs() {
    List<OutputRequest> outputs = new ArrayList<>();
    for (var entry : root.children("vtk")) {
      entry.count("every").map(OutputRequest.Vtk::new).ifPresent(outputs::add);
    }
    Set<String> names = new HashSet<>();
    for (var entry : root.children("picture")) {
      var component = component(entry);
      var plane = entry.text("plane").orElse("").replace(" ", "");
      var every = entry.count("every");
      var axis = plane.isEmpty() ? -1 : "xyz".indexOf(plane.charAt(0));
      var position =
          axis >= 0 && plane.startsWith("=", 1) ? number(plane.substring(2)) : Double.NaN;
      if (!Double.isFinite(position)) {
        entry.error(
            "plane",
            "'" + plane + "' is no plane at right angles to an axis",
            "write such as 'z=0.5', in metres");
      } else if (mesh != null && !(mesh.low(axis) <= position && position <= mesh.high(axis))) {
        entry.error(
            "plane",
            "the plane '%s' does not cut the mesh, which reaches from %.4g to %.4g m there"
                .formatted(plane, mesh.low(axis), mesh.high(axis)),
            "move it; it is in metres");
      }
      var itsName = MonitorReader.name(entry, names);
      if (component >= 0 && every.isPresent() && Double.isFinite(position)) {
        outputs.add(
            new OutputRequest.Picture(
                itsName,
                component < 3 ? FieldKind.E : FieldKind.H,
                component % 3,
                axis,
                position,
                every.get()));
      }
    }
    return outputs;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns 0 to 2 for E, 3 to 5 for H; reports an error and returns -1 for another component. */
  static int component(ProblemElement entry) {
    var names = List.of("Ex", "Ey", "Ez", "Hx", "Hy", "Hz");
    return entry.choice("component", names, "component").map(names::indexOf).orElse(-1);
  }
}
