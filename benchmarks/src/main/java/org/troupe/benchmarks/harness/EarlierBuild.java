package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The distribution of an earlier commit, whose benchmarks are compared with those of this one.
 *
 * @param folder the folder {@code cli/target/troupe} of its checkout
 */
public record EarlierBuild(Path folder) {

  /** The environment variable that names the folder. */
  public static final String VARIABLE = "TROUPE_BENCH_BEFORE";

  private static final String BENCHMARKS = "lib/bench";

  /** Returns the distribution that the environment names; nothing if it names none. */
  public static Optional<EarlierBuild> named() {
    return Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of).map(EarlierBuild::new);
  }

  /** Returns why it cannot be measured; empty if it can. */
  public static Optional<String> whyUnavailable() {
    var named = named();
    if (named.isEmpty()) {
      return Optional.of(
          VARIABLE + " does not name the folder cli/target/troupe of a build of an earlier commit");
    }
    var benchmarks = named.get().folder.resolve(BENCHMARKS);
    return Files.isDirectory(benchmarks)
        ? Optional.empty()
        : Optional.of("there is no folder " + benchmarks + "; build that commit");
  }

  /** Starts a JVM with its classes, and waits until it is ready to measure. */
  public ContenderProcess start(
      Class<?> main, CorePinning pinning, List<String> options, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(pinning.prefix());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-Dtroupe.application=" + jar("troupe-benchmarks-"));
    command.add("-cp");
    command.add(folder.resolve("lib") + "/*:" + folder.resolve(BENCHMARKS) + "/*");
    command.add(main.getName());
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return ContenderProcess.start("earlier " + main.getSimpleName(), command);
  }

  private Path jar(String prefix) throws IOException {
    try (var jars = Files.list(folder.resolve(BENCHMARKS))) {
      return jars.filter(each -> each.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow(() -> new IOException("there are no benchmarks in " + folder));
    }
  }
}
