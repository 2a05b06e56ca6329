package org.troupe.stubs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;

/** Classes compiled from source by a test, into a folder of their own. */
record Compiled(Path folder) {

  private static final String OURS =
      Path.of(
              URI.create(
                  Stubs.class.getProtectionDomain().getCodeSource().getLocation().toString()))
          .toString();

  /** Compiles sources; each starts with a line that has its file name, such as {@code a/B.java}. */
  static Compiled from(Path temporary, String... sources) {
    try {
      Path folder = Files.createDirectory(temporary.resolve("classes"));
      var command =
          new ArrayList<>(List.of("-d", folder.toString(), "-proc:none", "-Xlint:-opens"));
      if (sources[0].startsWith("module-info.java")) {
        command.addAll(List.of("--module-path", System.getProperty("jdk.module.path")));
      } else {
        command.addAll(List.of("--class-path", OURS));
      }
      for (String source : sources) {
        String[] parts = source.split("\n", 2);
        Path file = temporary.resolve("sources").resolve(parts[0].strip());
        Files.createDirectories(file.getParent());
        Files.writeString(file, parts[1]);
        command.add(file.toString());
      }
      int errors =
          ToolProvider.findFirst("javac")
              .orElseThrow()
              .run(System.out, System.err, command.toArray(String[]::new));
      if (errors != 0) {
        throw new AssertionError("the sources do not compile; see above");
      }
      return new Compiled(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URLClassLoader loader(ClassLoader parent) {
    try {
      return new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads the classes as a named module above those of the test. */
  ClassLoader layer(String module) {
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(ModuleFinder.of(folder), ModuleFinder.of(), Set.of(module));
    return boot.defineModulesWithOneLoader(configuration, Compiled.class.getClassLoader())
        .findLoader(module);
  }
}
