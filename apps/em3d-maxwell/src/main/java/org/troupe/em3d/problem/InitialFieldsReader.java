package org.troupe.em3d.problem;

import java.nio.file.Path;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.xml.ProblemCollector;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.SphereMode;
import org.troupe.em3d.state.CheckpointException;
import org.troupe.em3d.state.RunCheckpoint;

/** Reads the initial fields of a problem file. */
final class InitialFieldsReader {

  private final ProblemElement root;
  private final @Nullable WholeMesh mesh; // null if it could not be read
  private final String meshName;
  private final Path from; // the problem file, to which the folder of a state is relative

  InitialFieldsReader(ProblemElement root, @Nullable WholeMesh mesh, String meshName, Path from) {
    this.root = root;
    this.mesh = mesh;
    this.meshName = meshName;
    this.from = from;
  }

  InitialFields start(MediumMap media) {
    var entry = root.children("start").stream().findFirst().orElse(null);
    if (entry == null || entry.children().isEmpty()) {
      return new InitialFields.Zero();
    }
    if (entry.children().size() > 1) {
      entry.error("", "'start' has more than one beginning", "leave one");
    }
    var how = entry.children().getFirst();
    return switch (how.name()) {
      case "cavityMode" -> cavity(how, media);
      case "sphereMode" -> new InitialFields.AtRest();
      case "state" -> kept(how);
      default -> new InitialFields.Zero();
    };
  }

  /**
   * Reads a cavity mode. The exact fields are known with one medium; with several, with losses or
   * with sources they are not.
   */
  private InitialFields cavity(ProblemElement how, MediumMap media) {
    var isKnown =
        media instanceof MediumMap.Uniform(Medium medium)
            && medium.conductivity() == 0
            && root.children("planeWave", "dipole").isEmpty()
            && isClosedUnitCube();
    var filling = isKnown ? ((MediumMap.Uniform) media).medium() : Medium.VACUUM;
    return how.numbers("numbers", PhysicalDimension.NONE, 3)
        .flatMap(
            numbers ->
                how.made(
                    "numbers",
                    () ->
                        new CavityMode(
                            whole(numbers[0]), whole(numbers[1]), whole(numbers[2]), filling)))
        .<InitialFields>map(
            mode -> isKnown ? new InitialFields.Cavity(mode) : new InitialFields.CavityAtRest(mode))
        .orElse(new InitialFields.Zero());
  }

  private boolean isClosedUnitCube() {
    return mesh instanceof CubeMesh && root.children("boundary").isEmpty()
        || mesh instanceof TetrahedralMesh file
            && MaxwellProblem.isUnitCube(file)
            && root.children("boundary").isEmpty()
            && mesh.surfaceGroups().stream()
                .allMatch(
                    group ->
                        BoundaryCondition.of(group).orElse(BoundaryCondition.PEC)
                            == BoundaryCondition.PEC);
  }

  private static int whole(double number) {
    if (number != Math.rint(number)) {
      throw new IllegalArgumentException(
          number + " is no number of half waves; write whole numbers, such as '1 1 0'");
    }
    return (int) number;
  }

  private InitialFields kept(ProblemElement how) {
    var folder = Path.of(how.text("folder").orElse(""));
    var path = from.resolveSibling(folder);
    try {
      var run = RunCheckpoint.readHeader(path).run();
      if (mesh != null && run.fingerprint() != MaxwellProblem.fingerprint(mesh)) {
        how.error(
            "folder",
            "the state in '%s' is of '%s' with %,d cells, not of '%s' with %,d"
                .formatted(path, run.mesh(), run.cells(), meshName, mesh.cells()),
            "name a state of this mesh");
      }
    } catch (CheckpointException e) {
      var message = String.valueOf(e.getMessage());
      var split = message.indexOf("; ");
      how.error("folder", message.substring(0, split), message.substring(split + 2));
    }
    return new InitialFields.Kept(path.toString());
  }

  /** Returns the angular frequency of the initial fields or, if they have none, of the sources. */
  OptionalDouble omega(InitialFields start) {
    return switch (start) {
      case InitialFields.Cavity(CavityMode mode) -> OptionalDouble.of(mode.omega());
      case InitialFields.AtRest _ -> OptionalDouble.of(SphereMode.OMEGA);
      case InitialFields.CavityAtRest _, InitialFields.Zero _, InitialFields.Kept _ ->
          root.children("planeWave", "dipole").stream()
              .flatMap(source -> source.children("wave").stream())
              .filter(wave -> wave.has("frequency"))
              .findFirst()
              .flatMap(
                  wave ->
                      new ProblemElement(wave.element(), new ProblemCollector())
                          .positive("frequency", PhysicalDimension.FREQUENCY))
              .map(hertz -> OptionalDouble.of(PhysicalDimension.omega(hertz)))
              .orElse(OptionalDouble.empty());
    };
  }
}
