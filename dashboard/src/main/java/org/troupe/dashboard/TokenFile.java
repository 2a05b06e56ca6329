package org.troupe.dashboard;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.links.OwnerOnly;

/** A file with a token for another program of the same user, as long as the token is valid. */
final class TokenFile implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("org.troupe.dashboard");

  private final Path file;
  private final String token;
  private final Thread atExit = new Thread(this::remove, "token-file");

  private TokenFile(Path file, String token) {
    this.file = file;
    this.token = token;
  }

  /**
   * Writes a token into a file that only this user can read, in place of an existing one.
   *
   * @throws IllegalArgumentException if it cannot be written; the message says why
   */
  static TokenFile write(Path file, String token) {
    var target = file.toAbsolutePath();
    var folder = target.getParent();
    try {
      if (folder == null || Files.isDirectory(target)) {
        throw new IOException("it is a folder");
      }
      if (!OwnerOnly.isPossible()) {
        throw new IOException("files have no permissions there that keep other users out");
      }
      var written = Files.createTempFile(folder, ".token", "", OwnerOnly.file());
      try {
        Files.writeString(written, token);
        Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the token cannot be written to '%s' (%s); name a file in a folder that you may write to"
              .formatted(file, AtomicFile.reason(e)),
          e);
    }
    var made = new TokenFile(target, token);
    Runtime.getRuntime().addShutdownHook(made.atExit); // Ctrl-C is the usual end
    return made;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // the process ends, and the hook removes the file
    }
    remove();
  }

  /** Removes the file, unless another process has written its token there. */
  private void remove() {
    try {
      if (Files.exists(file) && Files.readString(file).equals(token)) {
        Files.delete(file);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a token that is not valid any more stays in a file", e);
    }
  }
}
