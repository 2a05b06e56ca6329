package org.troupe.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.deployment.GridOptions;
import org.troupe.testing.QuickJvm;

/**
 * Options for JVMs that live for a moment, whose start would otherwise be dominated by two
 * compilers and a parallel collector.
 */
public final class Quick {

  /**
   * What {@code ./troupe run} gives a program, and every program its nodes. The JDK refuses an AOT
   * cache that was recorded with others.
   */
  static final List<String> MODULES =
      List.of("--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED");

  /** The options of such a JVM. */
  public static final List<String> JVM =
      Stream.of(QuickJvm.OPTIONS, NodeCache.options()).flatMap(List::stream).toList();

  /** Returns the options of a grid of such JVMs. */
  public static final GridOptions GRID = GridOptions.standard().withJvmOptions(JVM);

  private Quick() {}

  /** Returns the command that runs a program of these tests in such a JVM. */
  public static List<String> command(List<String> options, Class<?> program, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(MODULES);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
