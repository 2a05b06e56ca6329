package org.troupe.deployment.ssh;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.troupe.deployment.files.PrivateFolder;
import org.troupe.deployment.files.SystemUser;

/**
 * The folder of the control sockets of ssh connections that this user's launchers have opened. The
 * name of a socket has the run and the launcher's process, so that the tools find connections whose
 * launcher was killed.
 */
public final class ConnectionFolder {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");
  private static final String PREFIX = "troupe-ssh-";
  private static final Path SHORT = Path.of("/tmp");

  /** The path of a socket is limited to 103 bytes on some systems; ssh first appends 17 to it. */
  private static final int LONGEST = 103 - 17;

  private static final Pattern NAME = Pattern.compile("(.+)-(\\d{1,18})-(\\d{1,9})");
  private static final AtomicInteger CONNECTIONS = new AtomicInteger(); // of this program

  private ConnectionFolder() {}

  private static Path folder() {
    var name = PREFIX + SystemUser.name();
    var folder = Path.of(System.getProperty("java.io.tmpdir"), name);
    var longest = folder.resolve("01234567-0123-0123456789-01234").toString().length();
    return longest > LONGEST ? SHORT.resolve(name) : folder;
  }

  /** Returns a free path, for a connection of a run. */
  static Path newSocket(String run) throws IOException {
    var folder = folder();
    PrivateFolder.create(folder);
    var number = CONNECTIONS.incrementAndGet();
    if (number == 1) {
      leftBehind(Optional.empty()).forEach(ConnectionFolder::end);
    }
    var socket = folder.resolve(run + "-" + ProcessHandle.current().pid() + "-" + number);
    Files.deleteIfExists(socket); // of an earlier process with this process id
    Files.deleteIfExists(log(socket));
    return socket;
  }

  /** Returns the file for the messages of a connection. */
  static Path log(Path socket) {
    return socket.resolveSibling(socket.getFileName() + ".log");
  }

  /** Returns the sockets of a run whose launcher has ended. */
  public static List<Path> leftBehind(String run) {
    return leftBehind(Optional.of(run));
  }

  private static List<Path> leftBehind(Optional<String> run) {
    var folder = folder();
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try {
      PrivateFolder.check(folder);
      try (var files = Files.list(folder)) {
        return files.filter(file -> isLeftBehind(name(file), run)).sorted().toList();
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "connections of killed launchers cannot be listed", e);
      return List.of();
    }
  }

  private static Matcher name(Path socket) {
    return NAME.matcher(socket.getFileName().toString());
  }

  private static boolean isLeftBehind(Matcher name, Optional<String> run) {
    return name.matches()
        && run.map(name.group(1)::equals).orElse(true)
        && ProcessHandle.of(Long.parseLong(name.group(2))).isEmpty();
  }

  /** Ends the connection of a socket, if it still exists, and removes the socket. */
  public static void end(Path socket) {
    try {
      OpenSsh.find(Optional.empty())
          .ifPresent(ssh -> ssh.control(socket.toString(), "exit", List.of()));
      Files.deleteIfExists(socket);
      Files.deleteIfExists(log(socket));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the connection of '" + socket + "' cannot be ended", e);
    }
  }
}
