package org.troupe.deployment.node;

import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.GridMember;

/** Reports that the shutdown hooks of a node's JVM were ended, and what that has cost. */
final class EndedHooks {

  private static final int MOST_NAMED = 8;

  private EndedHooks() {}

  /**
   * Reports it, unless the hooks only had to end objects that lose nothing by that.
   *
   * @param member of the grid; {@code null} if the JVM is none
   */
  static void report(@Nullable GridMember member, long seconds, PrintStream err) {
    var missing = member == null ? List.<String>of() : member.withoutLastImage(false);
    var isEndingLogged = member != null && !member.withoutLastImage(true).isEmpty();
    if (!missing.isEmpty()) {
      err.printf(
          "WARNING: the last images of %s%s were not stored within %d s of the end of this node;"
              + " what has changed since the images before is lost; call checkpoint() before the"
              + " program ends%n",
          String.join(", ", missing.subList(0, Math.min(MOST_NAMED, missing.size()))),
          missing.size() > MOST_NAMED ? " .." : "",
          seconds);
    } else if (!isEndingLogged) {
      err.printf(
          "WARNING: the shutdown hooks of this node were still running after %d s and were ended%n",
          seconds);
    }
  }
}
