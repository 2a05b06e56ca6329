package org.troupe.benchmarks.harness;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Commands that start other JVMs with the classes of this program. */
public final class JvmCommand {

  /**
   * The options with which {@code ./troupe} and deployments start each JVM, and with which the JVM
   * accepts their AOT cache.
   */
  public static final List<String> TROUPE_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED");

  private static final int SECONDS_TO_END = 10;

  private JvmCommand() {}

  /** Returns the command that runs a class of this program in a new JVM. */
  public static List<String> command(String main, List<String> options, Object... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-Dtroupe.application=" + codeLocations(JvmCommand.class, named(main)));
    command.add("-cp");
    command.add(classPath());
    command.add(main);
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return command;
  }

  /**
   * Returns the class path and module path of this JVM as one class path; modules work there, too.
   */
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
      throw new IllegalArgumentException("there is no class " + main, e);
    }
  }

  /** Returns the code locations of classes, which are those whose objects nodes accept. */
  private static String codeLocations(Class<?>... types) {
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

  /** Waits for the end of a process that was asked to end, and kills it after a time limit. */
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
