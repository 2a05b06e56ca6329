package org.troupe.deployment;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Where the sockets of this user's deployments are. */
final class ControlFolder {

  /*
   * Below the folder for temporary files, because a Unix address holds about 100 bytes and a home may be deep. Anybody
   * may have made a folder of that name before: it is used only if it is ours and closed to others.
   */
  private static final String PREFIX = "troupe-control-";
  private static final String SUFFIX = ".sock";
  private static final int MOST_OF_ONE_PROGRAM = 1000;

  private ControlFolder() {}

  private static Path folder() {
    return Path.of(System.getProperty("java.io.tmpdir"), PREFIX + System.getProperty("user.name"));
  }

  /** Returns a path that is free: named after this process. */
  static Path newSocket() throws IOException {
    var folder = folder();
    var ownerOnly = PosixFilePermissions.fromString("rwx------");
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
    } catch (FileAlreadyExistsException e) {
      check(folder);
    }
    var pid = ProcessHandle.current().pid();
    for (var number = 1; number <= MOST_OF_ONE_PROGRAM; number++) {
      var file = folder.resolve(pid + (number == 1 ? "" : "-" + number) + SUFFIX);
      if (!Files.exists(file)) {
        return file;
      }
    }
    throw new IOException("this program has too many deployments");
  }

  private static void check(Path folder) throws IOException {
    var ownerOnly = PosixFilePermissions.fromString("rwx------");
    var isOurs =
        Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).equals(ownerOnly)
            && Files.getOwner(folder).getName().equals(System.getProperty("user.name"));
    if (!isOurs) {
      throw new IOException("'" + folder + "' is not ours alone");
    }
  }

  /** Returns all sockets, also those of programs that were killed. */
  static List<Path> sockets() {
    var folder = folder();
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try {
      check(folder);
      try (var files = Files.list(folder)) {
        return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
      }
    } catch (IOException e) {
      return List.of();
    }
  }

  static String id(Path socket) {
    var name = socket.getFileName().toString();
    return name.substring(0, name.length() - SUFFIX.length());
  }
}
