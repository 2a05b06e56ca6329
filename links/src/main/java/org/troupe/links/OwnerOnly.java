package org.troupe.links;

import java.nio.file.FileSystems;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The attributes of new files and folders that only this user may open. Where files have no
 * permissions of POSIX, as on Windows, they get those of their folder instead.
 */
public final class OwnerOnly {

  private OwnerOnly() {}

  /** Returns whether files have permissions that keep other users out. */
  public static boolean isPossible() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  /** Returns the attributes of a file. */
  public static FileAttribute<?>[] file() {
    return attributes("rw-------");
  }

  /** Returns the attributes of a folder. */
  public static FileAttribute<?>[] folder() {
    return attributes("rwx------");
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return isPossible()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
