package org.troupe.testing;

import java.util.List;

/** A JVM that a test starts for a few seconds. */
public final class QuickJvm {

  /** Its options, without which two compilers and a parallel collector take most of its time. */
  public static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private QuickJvm() {}
}
