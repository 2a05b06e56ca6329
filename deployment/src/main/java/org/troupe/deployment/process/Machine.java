package org.troupe.deployment.process;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A machine on which commands are run and files are put: this one, or one over ssh. Thread-safe.
 */
public interface Machine extends Closeable {

  /** Returns its name, for messages. */
  String name();

  /**
   * Starts a command without interpretation by a shell.
   *
   * @param environment variables to set in addition to those of the machine
   * @param folder empty for the home directory, on this machine for the current one
   * @return the process; its input ends when the caller closes it, and when the connection breaks
   * @throws IOException if it cannot be started; the message states the machine, the reason and the
   *     remedy
   */
  StartedProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException;

  /**
   * Copies a file to the machine, atomically and readable by its owner only; creates the folders
   * above it.
   *
   * @param path absolute, or from the home directory
   */
  void put(Path file, String path) throws IOException;

  /** Writes a file, as {@link #put(Path, String)} does. */
  void put(byte[] content, String path) throws IOException;

  /**
   * A file to be put on a machine.
   *
   * @param content of the file; empty if it is that of {@code file}
   * @param path absolute, or from the home directory
   */
  record Upload(Path file, Optional<byte[]> content, String path) {}

  /** Puts several files there, each as {@link #put(Path, String)} does. */
  default void putAll(List<Upload> files) throws IOException {
    for (var each : files) {
      if (each.content().isPresent()) {
        put(each.content().get(), each.path());
      } else {
        put(each.file(), each.path());
      }
    }
  }

  /** Closes the connection, and with it the input of the commands. */
  @Override
  void close();
}
