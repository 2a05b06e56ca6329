package org.troupe.deployment.launch;

import org.jspecify.annotations.Nullable;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.staging.JavaCommand;

/**
 * The command of the first node of an element without jobs, as users may see it. It is asked for
 * each second, so it is made once. Thread-safe.
 */
final class FirstCommand {

  private final Launcher launcher;
  private final JavaCommand java;
  private @Nullable String made; // under this; null until it is asked for

  FirstCommand(Launcher launcher, JavaCommand java) {
    this.launcher = launcher;
    this.java = java;
  }

  /** Returns it, without the values that are secret; empty if there is no node. */
  synchronized String get() {
    var known = made;
    if (known == null) {
      known =
          launcher.nodes().stream()
              .findFirst()
              .map(PlannedNode::shellCommand)
              .map(java::withoutValues)
              .orElse("");
      made = known;
    }
    return known;
  }
}
