package org.troupe.descriptors;

import java.nio.file.Path;
import java.util.Optional;

/**
 * JVMs on the machine that deploys.
 *
 * @param jvms the number of JVMs, at least one
 * @param workingDirectory an absolute path; empty for that of the program that deploys
 */
public record LocalJvms(
    String id,
    int jvms,
    Jvm jvm,
    Cluster cluster,
    Optional<Path> workingDirectory,
    SourcePosition place)
    implements Infrastructure {

  /** The largest number of JVMs that one element may start. */
  public static final int MOST_JVMS = 10_000;

  /**
   * Checks the number of JVMs.
   *
   * @throws IllegalArgumentException if it is not from 1 to 10000
   */
  public LocalJvms {
    if (jvms < 1 || jvms > MOST_JVMS) {
      throw new IllegalArgumentException(
          "cannot start " + jvms + " JVMs on this machine; ask for 1 to " + MOST_JVMS);
    }
  }
}
