package org.troupe.descriptors.text;

import java.nio.file.Path;

/** Resolves paths in a descriptor. */
public final class DescriptorPaths {

  private DescriptorPaths() {}

  /**
   * Returns a path on this machine, relative to the folder of the file that contains it, or to the
   * home directory.
   */
  public static Path beside(Path file, String written) {
    if (isFromHome(written)) {
      return Path.of(System.getProperty("user.home"), fromHome(written));
    }
    return file.resolveSibling(written).normalize();
  }

  /** Returns a path on another machine, absolute or relative to the home directory there. */
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
