package org.troupe.program;

import java.util.List;
import org.troupe.deployment.GridOptions;

/**
 * For JVMs that live for a moment: starting two compilers and a parallel collector is most of it.
 */
public final class Quick {

  /** What such a JVM is started with. */
  public static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** A grid of such JVMs. */
  public static final GridOptions GRID = GridOptions.standard().withJvmOptions(JVM);

  private Quick() {}
}
