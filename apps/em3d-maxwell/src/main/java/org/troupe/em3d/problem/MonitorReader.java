package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.AxisAlignedBox;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.BoundaryMap;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.Vector3;

/** Reads the probes and flux monitors of a problem file. */
final class MonitorReader {

  private static final Vector3 ORIGIN = new Vector3(0, 0, 0);

  private final ProblemElement root;
  private final @Nullable WholeMesh mesh; // null if it could not be read
  private final @Nullable MeshQuery query; // null with the mesh
  private final Map<String, AxisAlignedBox> boxes;
  private final BoundaryMap boundaries;
  private final List<FieldMonitor> monitors = new ArrayList<>();

  MonitorReader(
      ProblemElement root,
      @Nullable WholeMesh mesh,
      @Nullable MeshQuery query,
      Map<String, AxisAlignedBox> boxes,
      BoundaryMap boundaries) {
    this.root = root;
    this.mesh = mesh;
    this.query = query;
    this.boxes = boxes;
    this.boundaries = boundaries;
  }

  List<FieldMonitor> monitors() {
    Set<String> names = new HashSet<>(Set.of("energy")); // energy.csv is always written
    for (var entry : root.children("probe", "flux")) {
      var name = name(entry, names);
      var every = entry.count("every").orElse(1);
      if (entry.name().equals("probe")) {
        probe(entry, name, every);
      } else {
        flux(entry, name, every);
      }
    }
    return List.copyOf(monitors);
  }

  /** Returns a name that becomes a file name; reports an error if it is not suitable. */
  static String name(ProblemElement entry, Set<String> taken) {
    var name = entry.text("name").orElse("");
    if (!entry.has("name")) {
      return name; // reported already
    }
    if (!name.matches("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")) {
      entry.error(
          "name",
          "'" + name + "' cannot be the name of a file",
          "use letters, digits, '_', '-' and '.'");
    } else if (!taken.add(name)) {
      entry.error("name", "the name '" + name + "' is taken already", "use another");
    }
    return name;
  }

  private void probe(ProblemElement entry, String name, int every) {
    var point = entry.vector("at", PhysicalDimension.LENGTH).orElse(null);
    var radius = entry.positive("radius", PhysicalDimension.LENGTH).orElse(0.0);
    int[] cells = {};
    if (point != null && query != null) {
      cells = query.cellAt(point);
      if (cells.length == 0) {
        entry.error(
            "at",
            "the probe '%s' at %s m is outside of the mesh".formatted(name, point),
            "move it, or name the unit of its place");
      } else if (radius > 0) {
        cells = query.cellsWithin(point, radius);
        if (cells.length == 0) {
          entry.error(
              "radius",
              "no cell has its centre within %s m of the probe '%s'".formatted(radius, name),
              "make it larger, or leave it out to take the cell that holds the point");
        }
      }
    }
    // Without a point, an error is reported, and the problem is not used.
    monitors.add(new FieldMonitor.Probe(name, every, point == null ? ORIGIN : point, cells));
  }

  private void flux(ProblemElement entry, String name, int every) {
    var where = entry.oneOf("box", "group").orElse("");
    FieldMonitor monitor = new FieldMonitor.Outflow(name, every, "");
    if (where.equals("box")) {
      var box = entry.choice("box", boxes.keySet(), "box").map(boxes::get);
      if (box.isPresent() && query != null) {
        monitor =
            entry
                .<FieldMonitor>made("box", () -> query.flux(name, every, box.get()))
                .orElse(monitor);
      }
    } else if (where.equals("group") && mesh != null) {
      monitor =
          entry
              .choice("group", mesh.surfaceGroups(), "physical surface")
              .<FieldMonitor>map(group -> outflow(entry, name, every, group))
              .orElse(monitor);
    }
    monitors.add(monitor);
  }

  private FieldMonitor outflow(ProblemElement entry, String name, int every, String group) {
    if (boundaries.at(group, 0, 0, 0) != BoundaryCondition.ABSORBING) {
      entry.error(
          "group",
          "nothing leaves through '%s', which does not absorb".formatted(group),
          "name an absorbing surface, or a box");
    }
    return new FieldMonitor.Outflow(name, every, group);
  }
}
