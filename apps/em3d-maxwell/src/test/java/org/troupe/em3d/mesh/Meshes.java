package org.troupe.em3d.mesh;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where meshes are: those of the tests alone, and those that come with the solver. */
public final class Meshes {

  private static final Path OF_TESTS = Path.of("src/test/resources/org/troupe/em3d/mesh");
  private static final Path OF_PROBLEMS = Path.of("src/main/resources/org/troupe/em3d/problem");

  private Meshes() {}

  public static Path file(String name) {
    var ofTests = OF_TESTS.resolve(name);
    return Files.exists(ofTests) ? ofTests : OF_PROBLEMS.resolve(name);
  }
}
