package org.troupe.deployment.runs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.troupe.deployment.files.PrivateFolder;
import org.troupe.deployment.files.SystemUser;

/** The folder of the control sockets of this user's deployments. */
final class ControlFolder {

  /*
   * The folder is below the one for temporary files, because the path of a Unix domain socket is limited to about 100
   * bytes, and a home directory may be deep.
   */
  private static final String PREFIX = "troupe-control-";
  private static final String SUFFIX = ".sock";
  private static final Pattern NAME = Pattern.compile("\\d{1,18}(-\\d+)?\\.sock");
  private static final AtomicInteger DEPLOYMENTS = new AtomicInteger(); // of this program

  private ControlFolder() {}

  private static Path folder() {
    return Path.of(System.getProperty("java.io.tmpdir"), PREFIX + SystemUser.name());
  }

  /** Returns a free path, named after this process and the number of its deployment. */
  static Path newSocket() throws IOException {
    var folder = folder();
    PrivateFolder.create(folder);
    var pid = ProcessHandle.current().pid();
    var number = DEPLOYMENTS.incrementAndGet();
    var file = folder.resolve(pid + (number == 1 ? "" : "-" + number) + SUFFIX);
    Files.deleteIfExists(file); // of an earlier process with this process id
    return file;
  }

  /** Returns all sockets, including those of programs that were killed. */
  static List<Path> sockets() {
    var folder = folder();
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try {
      PrivateFolder.check(folder);
      try (var files = Files.list(folder)) {
        return files
            .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
            .sorted()
            .toList();
      }
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Returns whether the process that a socket is named after has ended. */
  static boolean isLeftBehind(Path socket) {
    return ProcessHandle.of(Long.parseLong(id(socket).split("-")[0])).isEmpty();
  }

  static String id(Path socket) {
    var name = socket.getFileName().toString();
    return name.substring(0, name.length() - SUFFIX.length());
  }
}
