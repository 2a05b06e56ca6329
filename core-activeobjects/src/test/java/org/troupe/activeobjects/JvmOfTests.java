package org.troupe.activeobjects;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts programs in processes of their own, with all that the tests were loaded from. */
public final class JvmOfTests {

  private JvmOfTests() {}

  /** Returns a process that is yet to be started. */
  public static ProcessBuilder of(Class<?> main, List<String> jvmOptions, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  private static String classPath() throws IOException {
    List<String> all = new ArrayList<>();
    try {
      for (var type : List.of(JvmOfTests.class, Store.class)) {
        all.add(
            Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
      }
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
    for (var each : List.of("java.class.path", "jdk.module.path")) {
      var paths = System.getProperty(each, "");
      if (!paths.isEmpty()) {
        all.add(paths);
      }
    }
    all.add(Path.of("target", "classes").toAbsolutePath().toString());
    all.add(Path.of("target", "test-classes").toAbsolutePath().toString());
    return String.join(File.pathSeparator, all);
  }
}
