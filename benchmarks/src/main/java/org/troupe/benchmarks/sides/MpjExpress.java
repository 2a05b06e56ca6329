package org.troupe.benchmarks.sides;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;

/** The peer of message passing in Java: MPJ Express, as Debian has it. */
public final class MpjExpress {

  private static final Path HOME = Path.of("/usr/share/mpj");
  private static final List<Path> JARS =
      List.of(HOME.resolve("lib/mpj.jar"), Path.of("/usr/share/java/log4j-1.2.jar"));

  private MpjExpress() {}

  /** Returns why the peer cannot be measured here; empty if it can. */
  public static Optional<String> whyUnavailable() {
    return JARS.stream()
        .filter(jar -> !Files.isReadable(jar))
        .findFirst()
        .map(jar -> "there is no " + jar + "; Debian has MPJ Express in libmpj-java");
  }

  /**
   * Starts two ranks, which communicate through its device {@code niodev}, hence TCP. The boot
   * loader has its classes, which have the names of Troupe's.
   */
  public static ContenderProcess start(CorePinning pinning, MeasurementEffort effort)
      throws IOException {
    List<String> command = new ArrayList<>(pinning.prefix());
    command.addAll(List.of("env", "MPJ_HOME=" + HOME));
    var jars = String.join(File.pathSeparator, JARS.stream().map(Path::toString).toList());
    command.addAll(
        JvmCommand.command(
            MpjExpressClient.class.getName(),
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-Xbootclasspath/a:" + jars),
            effort.roundMillis()));
    return ContenderProcess.start("MPJ Express", command);
  }
}
