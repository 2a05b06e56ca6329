package org.troupe.deployment.process;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where commands are run and files are put: this machine, or one over ssh. Thread-safe. */
public interface Machine extends Closeable {

  /** Returns its name, for messages. */
  String name();

  /**
   * Starts a command, without a shell between: each argument arrives as it is.
   *
   * @param environment variables to set in addition to those of the machine
   * @param folder empty for the home directory, on this machine for the current one
   * @return its input is the caller's; when that ends, or the connection breaks, so does whatever
   *     has promised to end with it
   * @throws IOException if it cannot be started; the message says on which machine, why, and what
   *     to do
   */
  StartedProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException;

  /**
   * Puts a file there, whole or not at all, readable by its owner only; makes the folders above it.
   *
   * @param path absolute, or from the home directory
   */
  void put(Path file, String path) throws IOException;

  /** Puts bytes there, as {@link #put(Path, String)} does. */
  void put(byte[] content, String path) throws IOException;

  /** Closes the connection; commands that end with their input end, too. */
  @Override
  void close();
}
