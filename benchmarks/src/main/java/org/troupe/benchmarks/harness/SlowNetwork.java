package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The network between two sites of a test grid, with a node at each site. Its delay and rate can be
 * set; initially there is no delay and no limit. Not thread-safe; the test grid must have no other
 * user.
 */
public final class SlowNetwork implements AutoCloseable {

  /** The site of this machine. */
  private static final String LAUNCHER = "launcher";

  private static final int UNLIMITED = 0;

  private final String from;
  private final String to;
  private final Path descriptor;

  private SlowNetwork(String from, String to) throws IOException, InterruptedException {
    this.from = from;
    this.to = to;
    delay(0);
    descriptor = TerminationCleanup.file(".xml");
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

  /** Returns the network between two clusters. */
  public static SlowNetwork ofClusters() throws IOException, InterruptedException {
    return new SlowNetwork("alpha", "gamma");
  }

  /** Returns the network between this machine, which has the first node, and a cluster. */
  public static SlowNetwork fromHere() throws IOException, InterruptedException {
    return new SlowNetwork(LAUNCHER, "alpha");
  }

  /** Returns why no network can be slowed down here; empty if one can. */
  public static Optional<String> whyUnavailable() {
    if (System.getenv("TESTGRID") == null) {
      return Optional.of(
          "there is no test grid; run 'testgrid/testgrid up' and eval \"$(testgrid/testgrid env)\"");
    }
    return "yes".equals(System.getenv("TESTGRID_MAY_FAIL"))
        ? Optional.empty()
        : Optional.of(
            "it would delay the test grid; if the grid has no other user set TESTGRID_MAY_FAIL=yes");
  }

  /**
   * Runs a program that has the options {@code --grid} and {@code --report}, and returns the
   * report.
   */
  public String report(String main, List<?> arguments, ExternalCommand.Meanwhile meanwhile)
      throws IOException, InterruptedException {
    List<Object> all = new ArrayList<>(List.of("--grid", descriptor));
    all.addAll(arguments);
    var hosts = "-Dtroupe.ssh.config=" + System.getenv("TESTGRID_SSH_CONFIG");
    return ProgramRun.report(main, List.of(hosts), all, meanwhile);
  }

  /** Sets the delay, in each direction, without a limit of the rate. */
  public void delay(int millis) throws IOException, InterruptedException {
    delay(millis, UNLIMITED);
  }

  /**
   * Sets the delay and limits the rate.
   *
   * @param millis the delay in each direction
   * @param megabits the rate in Mbit/s in each direction
   */
  public void delay(int millis, int megabits) throws IOException, InterruptedException {
    var command =
        new ProcessBuilder(System.getenv("TESTGRID"), "wan", Integer.toString(millis), from, to)
            .redirectErrorStream(true);
    command.environment().put("TESTGRID_WAN_MBIT", Integer.toString(megabits));
    var output =
        TerminationCleanup.file(
            ".txt"); // a pipe would stay open in the forwarder, which inherits it
    try {
      var process = command.redirectOutput(output.toFile()).start();
      process.getOutputStream().close();
      if (process.waitFor() != 0) {
        throw new IOException(
            "'%s' failed: %s"
                .formatted(
                    String.join(" ", command.command()),
                    Files.readString(output, StandardCharsets.UTF_8).strip()));
      }
    } finally {
      TerminationCleanup.delete(output);
    }
  }

  @Override
  public void close() throws IOException {
    TerminationCleanup.delete(descriptor);
    try {
      delay(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
