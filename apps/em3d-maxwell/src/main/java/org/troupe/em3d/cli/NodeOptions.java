package org.troupe.em3d.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.NodesMissingException;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.Plan;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.em3d.run.RunListener;
import org.troupe.futures.FutureRuntime;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options that choose and start the nodes. */
final class NodeOptions {

  private static final String SOLVERS = "solvers";

  @Option(
      names = "--jvms",
      paramLabel = "N",
      description =
          "the number of JVMs to start on this machine (default: none, as this program computes by"
              + " itself with all processors; one with vectors if the run is long, or as many as"
              + " its memory takes)")
  private @Nullable Integer jvms;

  @Option(
      names = "--grid",
      paramLabel = "FILE.xml",
      description = "the descriptor of the nodes, instead of --jvms")
  private @Nullable Path grid;

  @Option(
      names = "--min-nodes",
      paramLabel = "N",
      description =
          "the number of nodes to start with, and to wait for after a loss (default: waits for"
              + " all, but continues with those that come)")
  private @Nullable Integer minNodes;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "2m",
      converter = TimeConverter.class,
      description = "how long to wait for nodes, such as 90s, 5m or 2h (default: ${DEFAULT-VALUE})")
  private Duration patience;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "the transport: ibis or rmi (default: troupe.transport, or ibis)")
  private @Nullable String transport;

  private @Nullable Descriptor descriptor; // of --grid; null without it

  /** Reads {@code 90s}, {@code 5m}, {@code 2h}, or an ISO 8601 duration. */
  private static final class TimeConverter implements CommandLine.ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return Duration.parse(text.matches("\\d+[smh]") ? "PT" + text : text);
      } catch (DateTimeParseException e) {
        throw new CommandLine.TypeConversionException(
            "'" + text + "' is no time; write such as 90s, 5m or 2h");
      }
    }
  }

  /** Reports errors of these options. */
  void check(OptionErrors wrong) {
    if (jvms != null && grid != null) {
      wrong.add("--jvms and --grid both say where the nodes come from; leave one out");
    }
    if (jvms != null && jvms < 1) {
      wrong.add("--jvms " + jvms + ": at least one JVM is needed");
    }
    if (minNodes != null && minNodes < 1) {
      wrong.add("--min-nodes " + minNodes + ": at least one is needed");
    }
    if (minNodes != null && jvms != null && minNodes > jvms) {
      wrong.add(
          "--min-nodes %d: only %d JVMs are started; say --jvms %d, or ask for fewer"
              .formatted(minNodes, jvms, minNodes));
    }
    if (patience.isNegative()) {
      wrong.add("--wait " + patience + ": give a time from now on, or 0s for none");
    }
  }

  /** Reads the descriptor, if there is one. */
  void read(OptionErrors wrong, Map<String, String> variables) {
    var file = grid;
    if (file != null && jvms == null) {
      descriptor = wrong.attempt(() -> DescriptorReader.read(file, variables));
    }
  }

  /** The descriptor's file, or {@code null}. */
  @Nullable Path grid() {
    return grid;
  }

  /** Returns the least number of nodes to continue with after a loss. */
  int enough() {
    return minNodes == null ? 1 : minNodes;
  }

  Duration patience() {
    return patience;
  }

  private int jvms(RunEffort effort) {
    return jvms == null ? Math.max(effort.jvmsForMemory(), minNodes == null ? 1 : minNodes) : jvms;
  }

  /** Returns whether this JVM computes by itself, so that no node has to be started. */
  boolean isHere(RunEffort effort) {
    return Stream.of(jvms, grid, minNodes, transport).allMatch(Objects::isNull)
        && effort.isShort()
        && effort.jvmsForMemory() == 1;
  }

  /** Returns the number of nodes to be started. */
  int planned(RunEffort effort) {
    return descriptor == null ? jvms(effort) : Plan.of(descriptor).nodes().size();
  }

  /** Starts the nodes, and serves the page that shows them if that is asked for. */
  Grid deploy(Map<String, String> variables, RunEffort effort, boolean withDashboard) {
    var options = options(variables).withJvmOptions(NodeJvmOptions.options(effort));
    return Grid.deploy(
        descriptor == null ? Descriptor.local(jvms(effort)) : descriptor,
        withDashboard ? options.withDashboard() : options);
  }

  /** Returns the name of the transport. */
  String transportName() {
    return options(Map.of()).transport();
  }

  private GridOptions options(Map<String, String> variables) {
    var options = GridOptions.standard().withVariables(variables);
    return transport == null ? options : options.withTransport(transport);
  }

  /**
   * Returns the nodes of the virtual node 'solvers', or all nodes if the descriptor has none of
   * this name. Waits for them.
   */
  Nodes solvers(Grid deployed, RunListener watcher) throws InterruptedException, TimeoutException {
    var named =
        descriptor != null
            && descriptor.virtualNodes().stream().anyMatch(each -> each.name().equals(SOLVERS));
    var nodes = named ? deployed.nodes(SOLVERS) : deployed.nodes();
    if (minNodes != null) {
      try (var _ = deployed.view()) {
        return nodes.await(Nodes.atLeast(minNodes), patience);
      }
    }
    var asked =
        (int)
            deployed.status().stream()
                .filter(each -> !named || each.plan().virtualNodes().contains(SOLVERS))
                .count();
    Optional<String> missing;
    try (var _ = deployed.view()) {
      missing = awaitAllThatCome(nodes, asked);
    }
    missing.ifPresent(
        reason ->
            watcher.news(
                "warning: starting with %d of %d nodes (--min-nodes %d refuses that); while waiting for them: %s"
                    .formatted(nodes.size(), asked, asked, reason)));
    return nodes;
  }

  /**
   * Waits for all nodes except those that cannot come any more; returns a message on those, if
   * there are any.
   */
  private Optional<String> awaitAllThatCome(Nodes nodes, int asked)
      throws InterruptedException, TimeoutException {
    var deadline = System.nanoTime() + FutureRuntime.nanos(patience);
    var missing = Optional.<String>empty();
    for (var needed = asked; ; needed--) {
      try {
        nodes.await(
            Nodes.atLeast(needed), Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        return missing;
      } catch (NodesMissingException | TimeoutException fewer) {
        missing = Optional.ofNullable(fewer.getMessage());
        if (needed == 1) {
          throw fewer;
        }
      }
    }
  }
}
