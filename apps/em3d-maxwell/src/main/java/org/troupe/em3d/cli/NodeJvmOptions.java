package org.troupe.em3d.cli;

import java.util.ArrayList;
import java.util.List;

/** The options of the JVM of a node. */
final class NodeJvmOptions {

  /**
   * A node allocates a few large arrays and then almost nothing, so the serial collector with a
   * heap close to the live data suffices and halves the memory of a node (measured: 210 MB instead
   * of 550 MB for 255,000 cells).
   */
  private static final List<String> ANYWHERE = List.of("-XX:+UseSerialGC", "-Xms16m", "-Xmn12m");

  /**
   * The module of the Vector API, which makes the kernel faster. A JVM with an incubating module
   * cannot use the AOT cache, so a short run does without.
   */
  private static final String VECTORS = "--add-modules=jdk.incubator.vector";

  /**
   * A step reads these arrays from end to end. Large pages reduce its time to 0.93 (cube:65) and
   * add 3 % to the memory of a node. The second option suppresses the warning of systems without
   * large pages.
   */
  private static final List<String> ON_LINUX =
      List.of("-XX:+UseTransparentHugePages", "-Xlog:pagesize=off");

  private NodeJvmOptions() {}

  /** Returns the options for nodes on the operating system of this JVM. */
  static List<String> options(RunEffort effort) {
    var options = new ArrayList<>(ANYWHERE);
    if (!effort.isShort()) {
      options.add(VECTORS);
    }
    if (System.getProperty("os.name").equals("Linux")) {
      options.addAll(ON_LINUX);
    }
    return options;
  }
}
