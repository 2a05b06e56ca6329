package org.troupe.deployment.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.troupe.links.OwnerOnly;

/** A folder for temporary files, such as sockets, that only this user can open. */
public final class PrivateFolder {

  /*
   * Another user may have created a folder of the same name, so a folder is used only if it belongs to this user and is
   * closed to others.
   */
  private static final String OWNER_ONLY = "rwx------";

  private PrivateFolder() {}

  /**
   * Creates the folder, unless it exists.
   *
   * @throws IOException if it exists, but belongs to another user or is open to others, or if files
   *     have no permissions here
   */
  public static void create(Path folder) throws IOException {
    checkPermissions(folder);
    try {
      Files.createDirectory(folder, OwnerOnly.folder());
    } catch (FileAlreadyExistsException e) {
      check(folder);
    }
  }

  /**
   * Checks an existing folder.
   *
   * @throws IOException if it belongs to another user or is open to others, or if files have no
   *     permissions here
   */
  public static void check(Path folder) throws IOException {
    checkPermissions(folder);
    var isOurs =
        Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
                .equals(PosixFilePermissions.fromString(OWNER_ONLY))
            && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS)
                .getName()
                .equals(SystemUser.name());
    if (!isOurs) {
      throw new IOException("'" + folder + "' is accessible to other users");
    }
  }

  private static void checkPermissions(Path folder) throws IOException {
    if (!OwnerOnly.isPossible()) {
      throw new IOException(
          "'" + folder + "' cannot be closed to other users, as files have no permissions here");
    }
  }
}
