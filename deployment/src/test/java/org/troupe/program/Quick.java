package org.troupe.program;

import java.util.List;
import org.troupe.deployment.GridOptions;

/**
 * Options for JVMs that live for a moment, whose start would otherwise be dominated by two
 * compilers and a parallel collector.
 */
public final class Quick {

  /** The options of such a JVM. */
  public static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** Returns the options of a grid of such JVMs. */
  public static final GridOptions GRID = GridOptions.standard().withJvmOptions(JVM);

  private Quick() {}
}
