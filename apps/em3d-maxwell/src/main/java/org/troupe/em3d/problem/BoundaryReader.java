package org.troupe.em3d.problem;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.BoundaryMap;

/** What the outer faces of a mesh are, in a problem file. */
final class BoundaryReader {

  private final ProblemElement root;
  private final WholeMesh mesh; // null if there is none

  BoundaryReader(ProblemElement root, WholeMesh mesh) {
    this.root = root;
    this.mesh = mesh;
  }

  BoundaryMap boundaries() {
    Map<String, BoundaryCondition> named = new TreeMap<>();
    BoundaryCondition others = null;
    for (var entry : root.children("boundary")) {
      var boundary =
          entry
              .choice("is", List.of("pec", "pmc", "absorbing"), "boundary")
              .flatMap(BoundaryCondition::of)
              .orElse(BoundaryCondition.PEC);
      if (!entry.has("group")) {
        if (others != null) {
          entry.error("", "all other outer faces have a boundary already", "name a group");
        }
        others = boundary;
      } else if (mesh != null) {
        entry
            .choice("group", mesh.surfaceGroups(), "physical surface")
            .filter(group -> named.putIfAbsent(group, boundary) != null)
            .ifPresent(
                group ->
                    entry.error(
                        "group", "'" + group + "' has a boundary already", "leave one out"));
      }
    }
    Map<String, BoundaryCondition> all = new TreeMap<>();
    all.put("", others == null ? BoundaryCondition.PEC : others);
    if (mesh != null) {
      for (var group : mesh.surfaceGroups()) {
        all.put(group, named.containsKey(group) ? named.get(group) : unnamed(group, others));
      }
    }
    return BoundaryMap.bySurface(all);
  }

  /** Whether the file says what all outer faces are that it does not name. */
  boolean saysOthers() {
    return root.children("boundary").stream().anyMatch(entry -> !entry.has("group"));
  }

  /** A surface that the file does not name is what all others are, or else what it is called. */
  private BoundaryCondition unnamed(String group, BoundaryCondition others) {
    if (others != null) {
      return others;
    }
    var called = BoundaryCondition.of(group);
    if (called.isEmpty() && mesh instanceof TetrahedralMesh && !group.matches("\\d+")) {
      root.error(
          "",
          "the mesh has outer faces in a physical surface '"
              + group
              + "', of which nothing is said",
          "add <boundary group=\"" + group + "\" is=\"pec\"/>, or pmc, or absorbing");
    }
    return called.orElse(BoundaryCondition.PEC);
  }
}
