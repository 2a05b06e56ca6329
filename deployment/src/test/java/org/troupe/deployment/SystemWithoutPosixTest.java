package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.program.Driver;
import org.troupe.program.Quick;
import org.troupe.testing.PlainFiles;

/** Programs with nodes of this machine, on a system that lacks what POSIX has, such as Windows. */
@Timeout(120)
class SystemWithoutPosixTest {

  private static final String NOTE = "NOTE: Picked up JDK_JAVA_OPTIONS"; // of each JVM

  @TempDir private Path home;

  /** Without signals, permissions of files, Unix domain sockets and shared memory. */
  @Test
  void runAsElsewhere() throws Exception {
    var options = List.of("-Duser.home=" + home, "-Dtroupe.links=uds,tcp");
    var command = Quick.command(options, Driver.class, "close");
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment() // of the nodes, too
        .put("JDK_JAVA_OPTIONS", "-Xrs " + PlainFiles.JVM_OPTION);
    var program = builder.start();
    try {
      var output = program.inputReader().lines().filter(line -> !line.contains(NOTE)).toList();

      assertThat(output).singleElement().asString().matches("pids \\d+ \\d+");
      assertThat(program.waitFor(Processes.SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isZero();
    } finally {
      program.destroyForcibly();
    }
  }
}
