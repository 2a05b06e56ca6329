package org.troupe.em3d.cli;

import java.util.ArrayList;
import java.util.List;

/** How the JVM of a node is started. */
final class NodeJvmOptions {

  /**
   * The kernel is slower without the module of its vectors. A node makes a few large arrays and
   * then next to nothing: a collector with a heap that is no larger than what is in use does, and a
   * node takes half the memory (measured: 210 MB instead of 550 MB for 255,000 cells).
   */
  private static final List<String> ANYWHERE =
      List.of("--add-modules=jdk.incubator.vector", "-XX:+UseSerialGC", "-Xms16m", "-Xmn12m");

  /**
   * A step runs through these arrays from end to end: in large pages that takes 0.93 of the time
   * (cube:65), and a node 3 % more memory. The warning of a system that has switched them off is no
   * news to the user.
   */
  private static final List<String> ON_LINUX =
      List.of("-XX:+UseTransparentHugePages", "-Xlog:pagesize=off");

  private NodeJvmOptions() {}

  /** The options for nodes with the system of this JVM. */
  static List<String> options() {
    var options = new ArrayList<>(ANYWHERE);
    if (System.getProperty("os.name").equals("Linux")) {
      options.addAll(ON_LINUX);
    }
    return options;
  }
}
