package org.troupe.em3d.problem;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.BoundaryMap;

/** Reads the boundary conditions of a problem file. */
final class BoundaryReader {

  private final ProblemElement root;
  private final @Nullable WholeMesh mesh; // null if it could not be read

  BoundaryReader(ProblemElement root, @Nullable WholeMesh mesh) {
    this.root = root;
    this.mesh = mesh;
  }

  BoundaryMap boundaries() {
    Map<String, BoundaryCondition> named = new TreeMap<>();
    BoundaryCondition others = null; // of the faces that the file does not name, if it has one
    for (var entry : root.children("boundary")) {
      var boundary =
          entry
              .choice("is", List.of("pec", "pmc", "absorbing"), "boundary")
              .flatMap(BoundaryCondition::of)
              .orElse(BoundaryCondition.PEC);
      if (!entry.has("group")) {
        if (others != null) {
          entry.error(
              "", "all other outer faces have a boundary condition already", "name a group");
        }
        others = boundary;
      } else if (mesh != null) {
        entry
            .choice("group", mesh.surfaceGroups(), "physical surface")
            .filter(group -> named.putIfAbsent(group, boundary) != null)
            .ifPresent(
                group ->
                    entry.error(
                        "group",
                        "'" + group + "' has a boundary condition already",
                        "leave one out"));
      }
    }
    Map<String, BoundaryCondition> all = new TreeMap<>();
    all.put("", others == null ? BoundaryCondition.PEC : others);
    if (mesh != null) {
      for (var group : mesh.surfaceGroups()) {
        var condition = named.get(group);
        all.put(group, condition == null ? unnamed(group, others) : condition);
      }
    }
    return BoundaryMap.bySurface(all);
  }

  /** Returns whether the file has a condition for all faces that it does not name. */
  boolean saysOthers() {
    return root.children("boundary").stream().anyMatch(entry -> !entry.has("group"));
  }

  /**
   * Returns the condition of a surface that the file does not name: that of all others, or the one
   * that its name stands for.
   */
  private BoundaryCondition unnamed(String group, @Nullable BoundaryCondition others) {
    if (others != null) {
      return others;
    }
    var called = BoundaryCondition.of(group);
    if (called.isEmpty() && mesh instanceof TetrahedralMesh && !group.matches("\\d+")) {
      root.error(
          "",
          "the mesh has outer faces in a physical surface '"
              + group
              + "' without a boundary condition",
          "add <boundary group=\"" + group + "\" is=\"pec\"/>, or pmc, or absorbing");
    }
    return called.orElse(BoundaryCondition.PEC);
  }
}
