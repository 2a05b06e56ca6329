package org.troupe.benchmarks.harness;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM of this program. */
public final class JvmCommand {

  private static final int SECONDS_TO_END = 10;

  private JvmCommand() {}

  /** Returns the command that runs a class of this program in it. */
  public static List<String> command(String main, List<String> options, Object... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-Dtroupe.application=" + places(JvmCommand.class, named(main)));
    command.add("-cp");
    command.add(classPath());
    command.add(main);
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return command;
  }

  /** All that this program was started with; modules run from the class path as well. */
  private static String classPath() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(name -> System.getProperty(name, ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Class<?> named(String main) {
    try {
      return Class.forName(main, false, JvmCommand.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no " + main + " to be run", e);
    }
  }

  /** Where classes were loaded from: what comes from there may travel, be it in an archive. */
  private static String places(Class<?>... types) {
    return Stream.of(types)
        .map(
            type ->
                Path.of(
                    URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString())))
        .map(Path::toString)
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Waits until it has ended, having been told to; not for ever. */
  static void awaitEnd(Process process) {
    try {
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
