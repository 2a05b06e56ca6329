package org.troupe.activeobjects.internal.classes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import org.troupe.serialization.Evolving;

/** Classes that only their own loader knows, compiled by a test into a folder. */
public record CompiledProgram(Path folder) {

  /** Compiles sources, given by their file names. */
  public static CompiledProgram from(Path folder, Map<String, String> sources) {
    try {
      var command = new ArrayList<>(List.of("-d", folder.toString(), "-proc:none"));
      var annotations = Evolving.class.getProtectionDomain().getCodeSource().getLocation();
      command.addAll(List.of("-cp", Path.of(URI.create(annotations.toString())).toString()));
      for (var each : sources.entrySet()) {
        var file = Files.createDirectories(folder.resolveSibling("sources")).resolve(each.getKey());
        Files.writeString(file, each.getValue());
        command.add(file.toString());
      }
      var errors =
          ToolProvider.findFirst("javac")
              .orElseThrow()
              .run(System.out, System.err, command.toArray(String[]::new));
      if (errors != 0) {
        throw new AssertionError("the sources do not compile; see above");
      }
      return new CompiledProgram(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Packs the classes, and a resource beside them. */
  public Path jar(Path file, String resource, String content) throws IOException {
    try (var jar = new JarOutputStream(Files.newOutputStream(file));
        var classes = Files.walk(folder)) {
      for (var each : classes.filter(Files::isRegularFile).toList()) {
        jar.putNextEntry(new JarEntry(folder.relativize(each).toString()));
        Files.copy(each, jar);
      }
      jar.putNextEntry(new JarEntry(resource));
      jar.write(content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return file;
  }

  public static ClassLoader loader(Path place) {
    try {
      return new URLClassLoader(
          new URL[] {place.toUri().toURL()}, CompiledProgram.class.getClassLoader());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
