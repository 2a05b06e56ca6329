package org.troupe.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.Plan;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.mpj.launch.RankRun;
import picocli.CommandLine.Option;

/** The options that run a program as ranks of message passing. */
final class RankOptions {

  private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365); // queues may be long

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "With --model mpj: the number of ranks, each in a JVM of its own.")
  private @Nullable Integer ranks;

  @Option(
      names = "--grid",
      paramLabel = "FILE",
      description = "With --model mpj: the descriptor of the JVMs; without it they run here.")
  private @Nullable Path grid;

  boolean isGiven() {
    return ranks != null || grid != null;
  }

  /**
   * Checks that there are ranks, and as many JVMs.
   *
   * @throws IllegalArgumentException if not
   */
  void check() {
    if (ranks == null && grid == null) {
      throw new IllegalArgumentException(
          "--model mpj needs a number of ranks; write --ranks N, or --grid FILE for a rank on each"
              + " node");
    }
    if (ranks != null && ranks < 1) {
      throw new IllegalArgumentException("--ranks " + ranks + ": at least one rank is needed");
    }
    var planned = Plan.of(descriptor()).nodes().size();
    if (ranks != null && ranks > planned) {
      throw new IllegalArgumentException(
          "--ranks "
              + ranks
              + " is more than the "
              + planned
              + (planned == 1 ? " JVM" : " JVMs")
              + " of '"
              + grid
              + "'; each rank needs one: give fewer ranks, or a descriptor with more");
    }
  }

  /**
   * Runs a main class as ranks.
   *
   * @return the exit code of the run
   */
  int run(String mainClass, List<String> arguments) throws InterruptedException, TimeoutException {
    try (var deployed = Grid.deploy(descriptor(), GridOptions.standard())) {
      try (var _ = deployed.view()) {
        deployed.nodes().await(Nodes.all(), AS_LONG_AS_IT_TAKES);
      }
      var all = RankRun.ordered(deployed.nodes());
      var places = all.subList(0, ranks == null ? all.size() : ranks);
      return RankRun.run(places, mainClass, arguments);
    }
  }

  private Descriptor descriptor() {
    return grid == null
        ? Descriptor.local(ranks == null ? 1 : ranks)
        : DescriptorReader.read(grid, Map.of());
  }
}
