package org.troupe.em3d.mesh;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/** What is wrong with a mesh: the first of it in words, the rest counted. */
final class MeshProblems {

  private static final int SHOWN = 10;

  private final Set<String> shown = new LinkedHashSet<>();
  private long hidden;

  /** Notes one; it is put into words only if there is room to show it. */
  void add(Supplier<String> problem) {
    if (shown.size() < SHOWN) {
      shown.add(problem.get());
    } else {
      hidden++;
    }
  }

  /** Refuses the mesh if there are any. */
  void refuse() {
    if (!shown.isEmpty()) {
      throw new MeshException(
          String.join("\n", shown) + (hidden > 0 ? "\nand %d more".formatted(hidden) : ""));
    }
  }
}
