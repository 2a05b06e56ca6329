package org.troupe.descriptors.text;

import java.nio.file.Path;

/** What paths in a descriptor mean. */
public final class DescriptorPaths {

  private DescriptorPaths() {}

  /** Returns a path of this machine: from the folder of the file that names it, or from home. */
  public static Path beside(Path file, String written) {
    if (isFromHome(written)) {
      return Path.of(System.getProperty("user.home"), fromHome(written));
    }
    return file.resolveSibling(written).normalize();
  }

  /** Returns a path of another machine: absolute or, where we know no more, from the home there. */
  public static String remote(String written) {
    return isFromHome(written) ? fromHome(written) : written;
  }

  private static boolean isFromHome(String written) {
    return written.equals("~") || written.startsWith("~/");
  }

  private static String fromHome(String written) {
    return written.substring(1).replaceFirst("^/+", "");
  }
}
