package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The network between two sites of a test grid, with a node at each end. Its delay and rate can be
 * chosen; at first it is as fast as it can be. For one thread, and for a grid that nobody else
 * uses.
 */
public final class SlowNetwork implements AutoCloseable {

  /** This machine, as a site. */
  private static final String LAUNCHER = "launcher";

  private static final int UNLIMITED = 0;

  private final String from;
  private final String to;
  private final Path descriptor;

  private SlowNetwork(String from, String to) throws IOException, InterruptedException {
    this.from = from;
    this.to = to;
    delay(0);
    descriptor = Files.createTempFile("troupe-bench", ".xml");
    Files.writeString(
        descriptor,
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="nodes"/></virtualNodes>
          <mapping>
            <map virtualNode="nodes" to="%s"/>
            <map virtualNode="nodes" to="%s"/>
          </mapping>
          <infrastructure>
            %s
            %s
          </infrastructure>
        </troupe>
        """
            .formatted(from, to, node(from), node(to)));
  }

  private static String node(String site) {
    var form = site.equals(LAUNCHER) ? "<local id='%s'/>" : "<ssh id='%1$s' hosts='%1$s-1'/>";
    return form.formatted(site);
  }

  /** Returns that between two clusters. */
  public static SlowNetwork ofClusters() throws IOException, InterruptedException {
    return new SlowNetwork("alpha", "gamma");
  }

  /** Returns that between this machine, where the first node is, and a cluster. */
  public static SlowNetwork fromHere() throws IOException, InterruptedException {
    return new SlowNetwork(LAUNCHER, "alpha");
  }

  /** Returns why there is none here; empty if there is one. */
  public static Optional<String> hindrance() {
    if (System.getenv("TESTGRID") == null) {
      return Optional.of(
          "there is no test grid; run 'testgrid/testgrid up' and eval \"$(testgrid/testgrid env)\"");
    }
    return "yes".equals(System.getenv("TESTGRID_MAY_FAIL"))
        ? Optional.empty()
        : Optional.of(
            "it would delay the test grid; if nobody else uses that say TESTGRID_MAY_FAIL=yes");
  }

  /** Runs a program that knows {@code --grid} and {@code --report}, and returns the report. */
  public String report(String main, List<?> arguments, ExternalCommand.Meanwhile meanwhile)
      throws IOException, InterruptedException {
    List<Object> all = new ArrayList<>(List.of("--grid", descriptor));
    all.addAll(arguments);
    var hosts = "-Dtroupe.ssh.config=" + System.getenv("TESTGRID_SSH_CONFIG");
    return ProgramRun.report(main, CorePinning.NONE, List.of(hosts), all, meanwhile);
  }

  /** Delays what goes from one end to the other by so much, either way. */
  public void delay(int millis) throws IOException, InterruptedException {
    delay(millis, UNLIMITED);
  }

  /**
   * The same, and limits how much goes.
   *
   * @param megabits a second, either way
   */
  public void delay(int millis, int megabits) throws IOException, InterruptedException {
    var command =
        new ProcessBuilder(System.getenv("TESTGRID"), "wan", Integer.toString(millis), from, to)
            .redirectErrorStream(true);
    command.environment().put("TESTGRID_WAN_MBIT", Integer.toString(megabits));
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
