package org.troupe.tasks.nodes;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.tasks.engine.Spawn;

/**
 * The copies of jobs that are executed instead of them, to find tasks that rely on being shared.
 */
public final class Copies {

  private Copies() {}

  /**
   * Returns what copies each job, if {@code troupe.tasks.copy} is {@code always}; else {@code
   * null}.
   *
   * @throws IllegalArgumentException if the property has another value than that or {@code stolen}
   */
  public static @Nullable UnaryOperator<Spawn> ofProperties() {
    var mode = System.getProperty("troupe.tasks.copy", "stolen");
    return switch (mode) {
      case "stolen" -> null;
      case "always" -> job -> Collectives.current().copyOf(job);
      default ->
          throw new IllegalArgumentException(
              "-Dtroupe.tasks.copy=" + mode + " is unknown; give always or stolen");
    };
  }
}
