package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The network between two clusters of a test grid, whose delay can be chosen. For one thread, and
 * for a grid that nobody else uses.
 */
final class SlowLink implements AutoCloseable {

  private static final String[] CLUSTERS = {"alpha", "gamma"};

  private final Path descriptor;

  SlowLink() throws IOException, InterruptedException {
    descriptor = Files.createTempFile("troupe-bench", ".xml");
    Files.writeString(
        descriptor,
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="nodes"/></virtualNodes>
          <mapping>
            <map virtualNode="nodes" to="%1$s"/>
            <map virtualNode="nodes" to="%2$s"/>
          </mapping>
          <infrastructure>
            <ssh id="%1$s" hosts="%1$s-1"/>
            <ssh id="%2$s" hosts="%2$s-1"/>
          </infrastructure>
        </troupe>
        """
            .formatted((Object[]) CLUSTERS));
    delay(0);
  }

  /** Returns why there is none here; empty if there is one. */
  static Optional<String> hindrance() {
    if (System.getenv("TESTGRID") == null) {
      return Optional.of(
          "there is no test grid; run 'testgrid/testgrid up' and eval \"$(testgrid/testgrid env)\"");
    }
    return "yes".equals(System.getenv("TESTGRID_MAY_FAIL"))
        ? Optional.empty()
        : Optional.of(
            "it would delay the test grid; if nobody else uses that say TESTGRID_MAY_FAIL=yes");
  }

  /** Returns a descriptor of a node at each end. */
  Path descriptor() {
    return descriptor;
  }

  /** Returns the option of a launcher's JVM by which it reaches the hosts of the grid. */
  static String launcherOption() {
    return "-Dtroupe.ssh.config=" + System.getenv("TESTGRID_SSH_CONFIG");
  }

  /** Delays what goes from one end to the other by so much, either way. */
  void delay(int millis) throws IOException, InterruptedException {
    var command =
        new ProcessBuilder(
                System.getenv("TESTGRID"),
                "wan",
                Integer.toString(millis),
                CLUSTERS[0],
                CLUSTERS[1])
            .redirectErrorStream(true);
    var output = Files.createTempFile("troupe-bench", ".txt"); // the forwarder inherits no pipe
    try {
      var process = command.redirectOutput(output.toFile()).start();
      process.getOutputStream().close();
      if (process.waitFor() != 0) {
        throw new IOException(
            "%s said: %s"
                .formatted(
                    String.join(" ", command.command()),
                    Files.readString(output, StandardCharsets.UTF_8).strip()));
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(descriptor);
    try {
      delay(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
