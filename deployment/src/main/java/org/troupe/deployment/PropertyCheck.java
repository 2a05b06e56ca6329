package org.troupe.deployment;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.activeobjects.hosting.TroupeProperties;
import org.troupe.descriptors.text.SpellingHints;

/** Checks the system properties of this JVM before it deploys nodes, which get them, too. */
final class PropertyCheck {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** The names that the log has a warning of. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private PropertyCheck() {}

  /**
   * Refuses wrong values, and warns once of each name that nothing reads.
   *
   * @throws DeploymentException with every wrong value
   */
  static void run() {
    var properties = System.getProperties();
    var problems = TroupeProperties.problems(properties);
    if (!problems.isEmpty()) {
      throw new DeploymentException(problems);
    }
    for (var name : TroupeProperties.unknown(properties)) {
      if (WARNED.add(name)) {
        LOG.log(Level.WARNING, warning(name));
      }
    }
  }

  private static String warning(String name) {
    return "'%s' is no property of Troupe, and nothing reads it; %s"
        .formatted(
            name,
            SpellingHints.closest(
                    stem(name), TroupeProperties.names().stream().map(PropertyCheck::stem).toList())
                .map(known -> "did you mean '%s'?".formatted(TroupeProperties.PREFIX + known))
                .orElse("docs/configuration.md lists those that there are"));
  }

  /** Returns what tells names apart: their common beginning would make all of them similar. */
  private static String stem(String name) {
    return name.substring(TroupeProperties.PREFIX.length());
  }
}
