package org.troupe.deployment.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user of this process. */
public final class SystemUser {

  /** The property of a user whom the system does not know, such as a container's. */
  private static final String UNKNOWN = "?";

  private SystemUser() {}

  /** Returns the name, as the owner of a file has it: a number if the system knows no name. */
  public static String name() {
    var name = System.getProperty("user.name");
    if (!name.equals(UNKNOWN)) {
      return name;
    }
    try {
      return Files.getOwner(Path.of("/proc/self")).getName();
    } catch (IOException e) {
      return name; // not on Linux, where such users are rare
    }
  }
}
