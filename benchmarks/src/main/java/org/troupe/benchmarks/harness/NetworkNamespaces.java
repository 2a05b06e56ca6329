package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Two simulated hosts on this machine: network namespaces of Linux with a virtual cable between
 * them. A process on one of them reaches nothing but the other host. Not thread-safe.
 */
public final class NetworkNamespaces implements AutoCloseable {

  /**
   * A simulated host.
   *
   * @param name its namespace and host name
   * @param address its address on the cable
   */
  public record SimulatedHost(String name, String address) {

    private static final String SEPARATOR = "@";

    /** Reads a host from an argument of a command line. */
    public static SimulatedHost parse(String argument) {
      var parts = argument.split(SEPARATOR);
      return new SimulatedHost(parts[0], parts[1]);
    }

    /** Returns the prefix of a command that runs it on this host. */
    public List<String> prefix() {
      var named = "hostname " + name + "; exec \"$@\"";
      var enter = List.of("ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c");
      List<String> all = new ArrayList<>(enter);
      all.addAll(List.of(named, "sh"));
      return all;
    }

    @Override
    public String toString() {
      return name + SEPARATOR + address;
    }
  }

  private static final String NETWORK = "10.77.0.";
  private static final String MASK = "/24";

  private final List<SimulatedHost> hosts;
  private final Path agent;
  private final Thread cleanup = new Thread(this::deleteQuietly, "cleanup of namespaces");

  private NetworkNamespaces(List<SimulatedHost> hosts, Path agent) {
    this.hosts = hosts;
    this.agent = agent;
  }

  /** Returns why hosts cannot be simulated here; empty if they can. */
  public static Optional<String> whyUnavailable() {
    for (var tool : List.of("ip", "unshare", "hostname")) {
      if (!ExternalCommand.isInstalled(tool)) {
        return Optional.of("there is no %s to make network namespaces with".formatted(tool));
      }
    }
    try {
      create().close();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("network namespaces cannot be made; run as root: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  /** Makes the hosts. */
  public static NetworkNamespaces create() throws IOException, InterruptedException {
    var own = "tb" + ProcessHandle.current().pid();
    var hosts =
        List.of(
            new SimulatedHost(own + "a", NETWORK + 1), new SimulatedHost(own + "b", NETWORK + 2));
    var agent = TerminationCleanup.file(".sh");
    var made = new NetworkNamespaces(hosts, agent);
    Runtime.getRuntime().addShutdownHook(made.cleanup);
    try {
      made.connect();
      made.writeAgent();
      return made;
    } catch (IOException | InterruptedException e) {
      made.close();
      throw e;
    }
  }

  private void connect() throws IOException, InterruptedException {
    for (var host : hosts) {
      ip("netns", "add", host.name);
    }
    var first = hosts.getFirst().name;
    var second = hosts.getLast().name;
    ip("link", "add", first, "netns", first, "type", "veth", "peer", second, "netns", second);
    for (var host : hosts) {
      ip("-n", host.name, "addr", "add", host.address + MASK, "dev", host.name);
      ip("-n", host.name, "link", "set", "lo", "up");
      ip("-n", host.name, "link", "set", host.name, "up");
    }
  }

  /** Writes the program by which {@code mpirun} on the first host starts its part on the second. */
  private void writeAgent() throws IOException {
    var enter = "ip netns exec %1$s unshare --uts sh -c \"hostname %1$s; $*\"";
    Files.writeString(
        agent, "#!/bin/sh\nshift\nexec " + enter.formatted(hosts.getLast().name) + "\n");
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes()).strip();
    if (process.waitFor() != 0) {
      throw new IOException("'%s' failed: %s".formatted(String.join(" ", command), output));
    }
  }

  public List<SimulatedHost> hosts() {
    return hosts;
  }

  /**
   * Returns the options of {@code mpirun}, on the first host.
   *
   * @param processes the number of processes on each host
   */
  public List<String> mpiOptions(int processes) {
    var network = NETWORK + 0 + MASK;
    var places =
        hosts.stream().map(each -> each.address + ":" + processes).collect(Collectors.joining(","));
    return List.of(
        "--mca",
        "plm_rsh_agent",
        agent.toString(),
        "--mca",
        "oob_tcp_if_include",
        network,
        "--mca",
        "btl_tcp_if_include",
        network,
        "-host",
        places);
  }

  private void deleteQuietly() {
    for (var host : hosts) {
      try {
        ip("netns", "del", host.name);
      } catch (IOException e) {
        // It was not made, or another run has the name no more.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    deleteQuietly();
    try {
      Runtime.getRuntime().removeShutdownHook(cleanup);
    } catch (IllegalStateException e) {
      return; // the JVM ends, and deletes the file itself
    }
    TerminationCleanup.delete(agent);
  }
}
