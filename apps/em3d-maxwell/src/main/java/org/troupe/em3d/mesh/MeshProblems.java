package org.troupe.em3d.mesh;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/** The errors of a mesh: the first ones as messages, the rest as a count. */
final class MeshProblems {

  private static final int SHOWN = 10;

  private final Set<String> shown = new LinkedHashSet<>();
  private long hidden;

  /** Adds an error; its message is computed only if it is shown. */
  void add(Supplier<String> problem) {
    if (shown.size() < SHOWN) {
      shown.add(problem.get());
    } else {
      hidden++;
    }
  }

  /** Throws an exception with all errors, if there are any. */
  void refuse() {
    if (!shown.isEmpty()) {
      throw new MeshException(
          String.join("\n", shown) + (hidden > 0 ? "\nand %d more".formatted(hidden) : ""));
    }
  }
}
