package org.troupe.cli.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Nodes;
import org.troupe.cli.program.JavaProgram;
import org.troupe.cli.program.ProgramException;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.Plan;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.mpj.launch.RankRun;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** The options that run a program of a programming model, and the JVMs that it gets. */
final class ModelOptions {

  private static final String MPJ = "mpj";
  private static final String SATIN = "satin";

  private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365); // queues may be long

  @Option(
      names = "--model",
      paramLabel = "MODEL",
      description =
          "The programming model of the program, if it has one: mpj starts its main as ranks that"
              + " exchange messages, satin weaves its classes first.")
  private @Nullable String model;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "With --model mpj: the number of ranks, each in a JVM of its own.")
  private @Nullable Integer ranks;

  @Option(
      names = "--jvms",
      paramLabel = "N",
      description = "With --model satin: the number of further JVMs on this machine.")
  private @Nullable Integer jvms;

  @Option(
      names = "--grid",
      paramLabel = "FILE",
      description = "With --model: the descriptor of the JVMs; without it they run here.")
  private @Nullable Path grid;

  boolean isGiven() {
    return model != null;
  }

  /**
   * Checks that the options fit each other, and that there are enough JVMs.
   *
   * @throws IllegalArgumentException if not
   */
  void check() {
    if (model == null) {
      refuse(ranks, "--ranks", MPJ);
      refuse(jvms, "--jvms", SATIN);
      if (grid != null) {
        throw new IllegalArgumentException(
            "--grid is for programs of a model; add --model mpj or --model satin");
      }
      return;
    }
    switch (model) {
      case MPJ -> {
        refuse(jvms, "--jvms", SATIN);
        checkRanks();
      }
      case SATIN -> {
        refuse(ranks, "--ranks", MPJ);
        checkJvms();
      }
      default ->
          throw new IllegalArgumentException(
              "there is no model '" + model + "'; choose from 'mpj' and 'satin'");
    }
  }

  private static void refuse(@Nullable Integer option, String name, String model) {
    if (option != null) {
      throw new IllegalArgumentException(name + " needs --model " + model);
    }
  }

  private void checkRanks() {
    if (ranks == null && grid == null) {
      throw new IllegalArgumentException(
          "--model mpj needs a number of ranks; write --ranks N, or --grid FILE for a rank on each"
              + " node");
    }
    if (ranks != null && ranks < 1) {
      throw new IllegalArgumentException("--ranks " + ranks + ": at least one rank is needed");
    }
    var planned = Plan.of(descriptor(ranks)).nodes().size();
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

  private void checkJvms() {
    if (jvms != null && jvms < 0) {
      throw new IllegalArgumentException(
          "--jvms " + jvms + " is no number of JVMs; give 0 or more");
    }
    if (jvms != null && grid != null) {
      throw new IllegalArgumentException(
          "--jvms and --grid both say where the JVMs come from; give one of them");
    }
  }

  /**
   * Runs a program of the model.
   *
   * @return the exit code of the run
   */
  int run(JavaProgram program, List<String> arguments)
      throws ProgramException, InterruptedException, TimeoutException {
    if (SATIN.equals(model)) {
      var isAlone = grid == null && (jvms == null || jvms == 0);
      SatinRun.run(program, arguments, isAlone ? null : descriptor(jvms));
      return ExitCode.OK;
    }
    program.announce();
    try (var deployed = Grid.deploy(descriptor(ranks), GridOptions.standard())) {
      try (var _ = deployed.view()) {
        deployed.nodes().await(Nodes.all(), AS_LONG_AS_IT_TAKES);
      }
      var all = RankRun.ordered(deployed.nodes());
      var places = all.subList(0, ranks == null ? all.size() : ranks);
      return RankRun.run(places, program.mainClass(), arguments);
    }
  }

  private Descriptor descriptor(@Nullable Integer local) {
    return grid == null
        ? Descriptor.local(local == null ? 1 : local)
        : DescriptorReader.read(grid, Map.of());
  }
}
