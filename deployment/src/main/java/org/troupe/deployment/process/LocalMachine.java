package org.troupe.deployment.process;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.links.OwnerOnly;

/** This machine. */
public final class LocalMachine implements Machine {

  @Override
  public String name() {
    return "this machine";
  }

  @Override
  public StartedProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException {
    var builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    folder.map(Path::of).map(Path::toFile).ifPresent(builder::directory);
    return StartedProcess.local(builder.start());
  }

  @Override
  public void put(Path file, String path) throws IOException {
    try (var in = Files.newInputStream(file)) {
      put(in, path);
    }
  }

  @Override
  public void put(byte[] content, String path) throws IOException {
    put(new ByteArrayInputStream(content), path);
  }

  private static void put(InputStream content, String path) throws IOException {
    var target = Path.of(System.getProperty("user.home")).resolve(path);
    Files.createDirectories(target.getParent());
    AtomicFile.write(
        target, file -> content.transferTo(Channels.newOutputStream(file)), OwnerOnly.file());
  }

  /** There is no connection to end. */
  @Override
  public void close() {}
}
