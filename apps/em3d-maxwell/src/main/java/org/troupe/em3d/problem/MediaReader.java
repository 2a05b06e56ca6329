package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.AxisAlignedBox;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Vector3;

/** Reads the boxes and the media of a problem file. */
final class MediaReader {

  private static final double FARTHEST =
      1 + 1e-9; // how far a box may reach out of the mesh, relative to the size of the mesh

  private final ProblemElement root;
  private final @Nullable WholeMesh mesh; // null if it could not be read
  private final @Nullable MeshQuery query; // null with the mesh
  private final Map<String, AxisAlignedBox> boxes = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();

  MediaReader(ProblemElement root, @Nullable WholeMesh mesh, @Nullable MeshQuery query) {
    this.root = root;
    this.mesh = mesh;
    this.query = query;
    root.children("box").forEach(this::box);
  }

  /** Returns the boxes by name. */
  Map<String, AxisAlignedBox> boxes() {
    return boxes;
  }

  private void box(ProblemElement entry) {
    var from = entry.vector("from", PhysicalDimension.LENGTH);
    var to = entry.vector("to", PhysicalDimension.LENGTH);
    var itsName = entry.text("name").orElse("");
    if (from.isPresent() && to.isPresent()) {
      entry
          .made("from", () -> new AxisAlignedBox(from.get(), to.get()))
          .ifPresent(
              box -> {
                if (boxes.putIfAbsent(itsName, box) != null) {
                  entry.error("name", "there is a box '" + itsName + "' already", "rename one");
                }
                requireNear(entry, "from", itsName, box.low());
                requireNear(entry, "to", itsName, box.high());
                if (query != null && !query.hasCellsIn(box)) {
                  entry.error(
                      "from",
                      "no cell of the mesh has its centre in the box '" + itsName + "'",
                      "correct its corners, which are in metres if no unit is named");
                }
              });
    }
  }

  /** Reports a box that reaches out of the mesh by far, which probably lacks a unit. */
  private void requireNear(ProblemElement entry, String attribute, String box, Vector3 corner) {
    if (query != null && query.outside(corner) > FARTHEST * query.size()) {
      entry.error(
          attribute,
          "the box '%s' reaches %.4g m out of the mesh, which is %.4g m large"
              .formatted(box, query.outside(corner), query.size()),
          "name the unit of this corner, such as 'cm', or move it nearer to the mesh");
    }
  }

  MediumMap media() {
    Map<String, Medium> groups = new TreeMap<>();
    groups.put("", Medium.VACUUM);
    if (mesh != null) {
      mesh.volumeGroups().forEach(group -> groups.put(group, Medium.VACUUM));
    }
    List<MediumMap.Filled> filled = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (var entry : root.children("material")) {
      var where = entry.oneOf("group", "box").orElse("");
      var medium =
          entry.made(
              "",
              () ->
                  new Medium(
                      entry.positive("epsilon", PhysicalDimension.NONE).orElse(1.0),
                      entry.positive("mu", PhysicalDimension.NONE).orElse(1.0),
                      entry
                          .quantity(
                              "conductivity",
                              PhysicalDimension.CONDUCTIVITY,
                              x -> x >= 0,
                              "of 0 or more")
                          .orElse(0.0)));
      medium.ifPresent(m -> checkSpeed(entry, m));
      if (where.equals("group") && mesh != null) {
        entry
            .choice("group", mesh.volumeGroups(), "physical volume")
            .ifPresent(group -> medium.ifPresent(m -> groups.put(group, m)));
        if (!named.add(entry.text("group").orElse(""))) {
          entry.error("group", "this physical volume has a material already", "leave one out");
        }
      } else if (where.equals("box")) {
        entry
            .choice("box", boxes.keySet(), "box")
            .map(boxes::get)
            .ifPresent(
                box -> {
                  medium.ifPresent(m -> filled.add(new MediumMap.Filled(box, m)));
                  checkCut(entry, box);
                });
      }
    }
    checkUnnamed(named);
    var elsewhere =
        uniform(groups).map(MediumMap::uniform).orElseGet(() -> MediumMap.byRegion(groups));
    return filled.isEmpty() ? elsewhere : MediumMap.inBoxes(filled, elsewhere);
  }

  private void checkSpeed(ProblemElement entry, Medium medium) {
    if (medium.epsilon() < 1 || medium.epsilon() * medium.mu() < 1) {
      warnings.add(
          "%s: a medium of permittivity %s and permeability %s has waves %.3g times as fast as light, and a time step as much shorter; both are relative to vacuum, so a permittivity below 1 is seldom meant"
              .formatted(
                  entry.place(entry.has("epsilon") ? "epsilon" : "mu"),
                  medium.epsilon(),
                  medium.mu(),
                  1 / Math.sqrt(medium.epsilon() * medium.mu())));
    }
  }

  /** Warns of cells that the surface of a box cuts; such a cell has the medium at its centre. */
  private void checkCut(ProblemElement entry, AxisAlignedBox box) {
    var cut = query == null ? 0 : query.cellsCutBy(box);
    if (cut > 0) {
      warnings.add(
          "%s: the surface of the box '%s' cuts %,d cells, which are filled as their centres are; let cells end there, for a sharp surface"
              .formatted(entry.place("box"), entry.text("box").orElse(""), cut));
    }
  }

  private void checkUnnamed(Set<String> named) {
    if (named.isEmpty() || !(mesh instanceof TetrahedralMesh file) || !hasCellsInNoVolume()) {
      return;
    }
    warnings.add(
        "%,d of %,d cells are in no physical volume and filled with vacuum; put them into one"
            .formatted(
                IntStream.range(0, file.cells())
                    .filter(cell -> file.region(cell).isEmpty())
                    .count(),
                file.cells()));
  }

  /** Returns warnings of inputs that are probably mistakes; to be called after {@link #media}. */
  List<String> warnings() {
    return warnings;
  }

  /** Returns the medium of all cells; empty if they differ. */
  private Optional<Medium> uniform(Map<String, Medium> groups) {
    Set<Medium> found = new HashSet<>();
    groups.forEach(
        (group, medium) -> {
          if (!group.isEmpty() || groups.size() == 1 || hasCellsInNoVolume()) {
            found.add(medium);
          }
        });
    return found.size() == 1 ? Optional.of(found.iterator().next()) : Optional.empty();
  }

  private boolean hasCellsInNoVolume() {
    return mesh instanceof TetrahedralMesh file
        && IntStream.range(0, file.cells()).anyMatch(cell -> file.region(cell).isEmpty());
  }
}
