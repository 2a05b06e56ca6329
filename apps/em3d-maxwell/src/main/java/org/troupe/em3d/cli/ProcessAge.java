package org.troupe.em3d.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The age of this process, which includes a script that started the JVM in its place, but neither a
 * build nor other preparations of that script.
 */
final class ProcessAge {

  /** The property with the uptime of the machine at the end of those preparations, in seconds. */
  private static final String PREPARED = "troupe.prepared";

  private static final Path STAT = Path.of("/proc/self/stat");
  private static final Path UPTIME = Path.of("/proc/uptime");
  private static final int START_TIME = 19; // among the fields after the command's name
  private static final double TICKS_PER_SECOND = 100; // in this file, on every Linux

  private ProcessAge() {}

  /** Returns the seconds since the process began, to about ten milliseconds. */
  static double seconds() {
    try {
      var stat = Files.readString(STAT);
      var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      var uptime = Double.parseDouble(Files.readString(UPTIME).split(" ")[0]);
      var start = Long.parseLong(fields[START_TIME]) / TICKS_PER_SECOND;
      return Math.max(0, uptime - Math.max(start, prepared()));
    } catch (IOException notLinux) {
      return ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
    }
  }

  private static double prepared() {
    var uptime = System.getProperty(PREPARED, "");
    return uptime.matches("\\d{1,12}(\\.\\d{1,9})?") ? Double.parseDouble(uptime) : 0;
  }
}
