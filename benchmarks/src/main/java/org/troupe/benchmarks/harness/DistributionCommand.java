package org.troupe.benchmarks.harness;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the command {@code ./troupe} of the distribution that this JVM was started from. */
public final class DistributionCommand {

  private DistributionCommand() {}

  /** Returns the path of the command; empty if these classes do not come from a checkout. */
  public static Optional<Path> path() {
    var source = DistributionCommand.class.getProtectionDomain().getCodeSource().getLocation();
    return Stream.<Path>iterate(
            Path.of(URI.create(source.toString())), folder -> folder != null, Path::getParent)
        .filter(folder -> Files.isRegularFile(folder.resolve("pom.xml")))
        .map(folder -> folder.resolve("troupe"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
