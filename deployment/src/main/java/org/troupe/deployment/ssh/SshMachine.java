package org.troupe.deployment.ssh;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.process.ShellLine;

/**
 * A machine that is reached over ssh. The first use logs in; all commands there share the
 * connection.
 */
public abstract class SshMachine implements Machine {

  /** Writes standard input to a file, atomically even if the connection breaks. */
  private static final String PUT =
      """
      umask 077 && mkdir -p "$1" && cat >"$2" && [ "$(wc -c <"$2")" -eq "$4" ] && mv -f "$2" "$3" && exit
      rm -f "$2"; exit 1
      """;

  SshMachine() {}

  @Override
  public abstract RemoteProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException;

  /**
   * Forwards a port of the machine's loopback address to an address of this machine, for as long as
   * the connection lasts. The machine chooses the port; further calls return the same one.
   *
   * @return the machine's port
   */
  public abstract int forward(InetSocketAddress local) throws IOException;

  /**
   * Makes a port of the machine's loopback address reachable at one of this machine's, for as long
   * as the connection lasts.
   *
   * @return this machine's port
   */
  public abstract int reach(int port) throws IOException;

  /** Waits a short time for the connections, which have been closed, to end in order. */
  abstract void awaitEnd();

  @Override
  public void put(Path file, String path) throws IOException {
    try (var in = Files.newInputStream(file)) {
      put(in, Files.size(file), path);
    }
  }

  @Override
  public void put(byte[] content, String path) throws IOException {
    put(new ByteArrayInputStream(content), content.length, path);
  }

  private void put(InputStream content, long length, String path) throws IOException {
    var target = ShellLine.fromHome(path);
    var folder = target.substring(0, Math.max(1, target.lastIndexOf('/')));
    var part = folder + "/.part-" + UUID.randomUUID();
    var process =
        start(
            List.of("/bin/sh", "-c", PUT, "sh", folder, part, target, Long.toString(length)),
            Map.of(),
            Optional.empty());
    try {
      String errorOutput;
      try (var in = process.getOutputStream()) {
        content.transferTo(in);
      } catch (IOException e) {
        // The command ended early; its error output, below, states the reason.
      }
      errorOutput = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(
            "%s: '%s' cannot be written: %s"
                .formatted(
                    name(),
                    path,
                    errorOutput.isBlank()
                        ? process.explanation().orElse("it was cut short")
                        : errorOutput.strip()));
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException(name() + ": interrupted while '" + path + "' was written", e);
    }
  }
}
