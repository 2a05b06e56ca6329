package org.troupe.deployment;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.deployment.internal.NodeMain;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Problem;

/** The command that starts a node's JVM on a machine that sees the same files as this one. */
final class JavaCommand {

  private JavaCommand() {}

  static List<String> of(Jvm jvm) {
    return of(jvm, java(jvm).toString());
  }

  /** With a java of another machine. */
  static List<String> of(Jvm jvm, String java) {
    var command = new ArrayList<String>();
    command.add(java);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(jvm.options());
    jvm.properties().forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.add("-cp");
    command.add(
        Stream.concat(jvm.classPath().stream(), Program.classPath().stream())
            .map(Path::toString)
            .collect(joining(File.pathSeparator)));
    command.add(NodeMain.class.getName());
    return command;
  }

  static List<String> problems(Jvm jvm) {
    var problems = new ArrayList<Problem>();
    if (!Files.isExecutable(java(jvm))) {
      problems.add(
          new Problem(
              jvm.place(),
              "there is no program '" + java(jvm) + "', so no JVM can be started",
              "name the folder of a JDK or JRE as javaHome, or leave it out to use the Java of this"
                  + " program"));
    }
    for (var entry : jvm.classPath()) {
      if (!Files.exists(isWildcard(entry) ? entry.getParent() : entry)) {
        problems.add(
            new Problem(
                jvm.place(),
                "the classPath entry '" + entry + "' is not there",
                "build or copy it, or correct the entry; relative ones start from the descriptor's"
                    + " folder"));
      }
    }
    return problems.stream().map(Problem::toString).toList();
  }

  private static boolean isWildcard(Path entry) {
    return entry.endsWith("*");
  }

  private static Path java(Jvm jvm) {
    return jvm.javaHome()
        .orElseGet(() -> Path.of(System.getProperty("java.home")))
        .resolve("bin")
        .resolve("java");
  }
}
