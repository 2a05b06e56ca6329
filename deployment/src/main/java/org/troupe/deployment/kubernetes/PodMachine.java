package org.troupe.deployment.kubernetes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.StartedProcess;

/** A pod whose container runs, as a machine for commands and files, by {@code kubectl exec}. */
final class PodMachine implements Machine {

  /** Writes standard input to a file, atomically even if the connection breaks. */
  private static final String PUT =
      """
      umask 077 && mkdir -p "$1" && cat >"$2" && [ "$(wc -c <"$2")" -eq "$4" ] && mv -f "$2" "$3" && exit
      rm -f "$2"; exit 1
      """;

  private static final String IN_FOLDER = "cd \"$1\" || exit; shift; exec \"$@\"";

  /** How long a pod may take no part of a file; kubectl itself waits without end. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private final Kubectl kubectl;
  private final String pod;
  private final Duration longestPause;

  PodMachine(Kubectl kubectl, String pod) {
    this(kubectl, pod, LONGEST_PAUSE);
  }

  /** Creates one with another time limit, for a test. */
  PodMachine(Kubectl kubectl, String pod, Duration longestPause) {
    this.kubectl = kubectl;
    this.pod = pod;
    this.longestPause = longestPause;
  }

  @Override
  public String name() {
    return "pod '" + pod + "'";
  }

  @Override
  public StartedProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException {
    var arguments =
        new ArrayList<>(
            List.of("exec", "--stdin", pod, "--container=" + JobManifest.CONTAINER, "--"));
    arguments.addAll(
        List.of(
            "/bin/sh", "-c", IN_FOLDER, "sh", JobManifest.inHome(folder.orElse(JobManifest.HOME))));
    if (!environment.isEmpty()) {
      arguments.add("env");
      environment.forEach((name, value) -> arguments.add(name + "=" + value));
    }
    arguments.addAll(command);
    return kubectl.start(arguments);
  }

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

  private void put(InputStream content, long size, String path) throws IOException {
    var target = JobManifest.inHome(path);
    var folder = target.substring(0, Math.max(1, target.lastIndexOf('/')));
    send(
        List.of("/bin/sh", "-c", PUT, "sh", folder, target + ".part", target, size + ""),
        content::transferTo,
        "'" + path + "' cannot be written there");
  }

  @FunctionalInterface
  private interface Input {
    void writeTo(OutputStream stream) throws IOException;
  }

  private void send(List<String> command, Input input, String failure) throws IOException {
    var process = start(command, Map.of(), Optional.empty()).process();
    try {
      IOException broken = null;
      var watched = new WatchedInput(process, longestPause);
      try (watched) {
        input.writeTo(watched);
      } catch (IOException e) {
        broken = e; // the command has ended, and states the reason
      }
      var said = "";
      try {
        said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        broken = e; // it was killed
      }
      var exitCode = process.waitFor();
      if (watched.isStalled()) {
        throw new IOException(
            "%s: %s: it has taken nothing for %d s, so the connection to it hangs, or its disk; 'kubectl describe pod %s' may tell more"
                .formatted(name(), failure, longestPause.toSeconds(), pod),
            broken);
      }
      if (exitCode != 0 || broken != null) {
        throw new IOException("%s: %s: %s".formatted(name(), failure, said.strip()), broken);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(name() + ": interrupted while files were put there", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Puts all files there by one command, since each takes some exchanges with the cluster; they are
   * relative to the home directory.
   */
  @Override
  public void putAll(List<Upload> files) throws IOException {
    if (!files.isEmpty()) {
      send(
          List.of("/bin/sh", "-c", "umask 077 && exec tar -xf -"),
          out -> TarFormat.write(files, out),
          "the program cannot be copied there");
    }
  }

  /** The connection of each command ends with it. */
  @Override
  public void close() {}
}
