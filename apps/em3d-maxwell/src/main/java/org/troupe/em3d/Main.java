package org.troupe.em3d;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.DeploymentException;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.DescriptorException;
import org.troupe.em3d.mesh.MeshException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The solver as a program. */
@Command(
    name = "em3d",
    sortOptions = false,
    description = {
      "Solves Maxwell's equations in a metallic cavity, by finite volumes on tetrahedra,",
      "divided over the nodes of a grid."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the run is complete",
      "1:the run failed",
      "2:wrong options, mesh or descriptor; nothing was started",
      "3:the nodes could not be started"
    })
public final class Main implements Callable<Integer> {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int NOT_DEPLOYED = 3;
  private static final String SOLVERS = "solvers";

  @Option(
      names = "--mesh",
      paramLabel = "MESH",
      defaultValue = "cube:33",
      description =
          "cube:N, with N points per axis, or a Gmsh 4.1 file (default: ${DEFAULT-VALUE})")
  private String mesh;

  @Option(
      names = "--division",
      paramLabel = "AxBxC",
      defaultValue = "auto",
      description = "how a cube is cut into sub-domains; auto: the fewest border faces")
  private String division;

  @Option(
      names = "--subdomains",
      paramLabel = "N",
      description = "how many sub-domains, without --division (default: one per node)")
  private Integer subDomains;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "200",
      description = "how many time steps (default: ${DEFAULT-VALUE})")
  private int steps;

  @Option(
      names = "--cfl",
      paramLabel = "X",
      defaultValue = "0.9",
      description = "time step as a fraction of the stable bound (default: ${DEFAULT-VALUE})")
  private double cfl;

  @Option(
      names = "--jvms",
      paramLabel = "N",
      description = "how many JVMs to start on this machine (default: 2)")
  private Integer jvms;

  @Option(
      names = "--grid",
      paramLabel = "FILE.xml",
      description = "a descriptor that says where the nodes come from, instead of --jvms")
  private Path grid;

  @Option(names = "-D", paramLabel = "NAME=VALUE", description = "a variable of the descriptor")
  private Map<String, String> variables = new HashMap<>();

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "how the nodes talk (default: troupe.transport, or ibis)")
  private String transport;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "a new folder for energy.csv and report.json")
  private Path out;

  @Option(names = "--report", paramLabel = "FILE.json", description = "write the report here")
  private Path report;

  @Option(names = "--verbose", description = "show the stack trace of an error")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this text")
  private boolean help;

  private Main() {}

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the program; returns its exit code. */
  public static int run(String... arguments) {
    var command = new CommandLine(new Main());
    command.setExecutionExceptionHandler(
        (failure, line, result) -> ((Main) line.getCommand()).explain(failure, line.getErr()));
    command.setParameterExceptionHandler(
        (wrong, line) -> {
          wrong.getCommandLine().getErr().println(wrong.getMessage() + "; see --help");
          return USAGE;
        });
    return command.execute(arguments);
  }

  private static Object oneLine(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return "a node ran out of memory ("
            + cause.getMessage()
            + "); give its JVM more, with <option>-Xmx4g</option> in a descriptor's jvm, take more"
            + " JVMs, or a coarser mesh";
      }
    }
    return failure.getMessage() == null ? failure : failure.getMessage();
  }

  private int explain(Exception failure, PrintWriter err) {
    if (verbose) {
      failure.printStackTrace(err);
    } else {
      err.println(oneLine(failure));
    }
    return switch (failure) {
      case DescriptorException wrong -> USAGE;
      case MeshException wrong -> USAGE;
      case IllegalArgumentException wrong -> USAGE;
      case DeploymentException none -> NOT_DEPLOYED;
      default -> FAILED;
    };
  }

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    checkOptions();
    // A mesh that cannot be read is told before anything is started.
    var check = Problem.of(mesh, division, subDomains == null ? 1 : subDomains);
    try (Grid deployed = deploy()) {
      Nodes nodes;
      try {
        nodes = solverNodes(deployed);
      } catch (IllegalStateException | TimeoutException missing) {
        spec.commandLine().getErr().println(missing.getMessage());
        return NOT_DEPLOYED;
      }
      var problem =
          subDomains == null && division.equals("auto")
              ? Problem.of(mesh, division, nodes.size())
              : check;
      if (problem.parts().size() < nodes.size()) {
        spec.commandLine()
            .getErr()
            .printf(
                "%d of %d nodes have nothing to do: there are only %d sub-domains%n",
                nodes.size() - problem.parts().size(), nodes.size(), problem.parts().size());
      }
      if (!verbose) {
        // A call to a lost node is one of many; the loss itself ends the run, with one message.
        ActiveObjects.onFailure(failure -> {});
      }
      var simulation = new Simulation(problem, nodes, steps, cfl);
      var progress =
          new ProgressLine(System.err, System.console() != null && System.console().isTerminal());
      simulation.run(progress::show);
      finish(simulation.report(options().transport(), deployed.drivers()));
    }
    return 0;
  }

  private void checkOptions() {
    if (jvms != null && grid != null) {
      throw wrong("--jvms and --grid both say where the nodes come from; leave one out");
    }
    if (grid == null && !variables.isEmpty()) {
      throw wrong("-D sets a variable of a descriptor; add --grid FILE.xml, or leave it out");
    }
    if (jvms != null && jvms < 1) {
      throw wrong("--jvms " + jvms + ": at least one JVM is needed");
    }
    if (steps < 1) {
      throw wrong("--steps " + steps + ": a run has at least one step");
    }
    if (subDomains != null && subDomains < 1) {
      throw wrong("--subdomains " + subDomains + ": at least one is needed");
    }
    if (subDomains != null && !division.equals("auto")) {
      throw wrong("--division and --subdomains both say how to cut; leave one out");
    }
    if (out != null && Files.exists(out)) {
      throw wrong("--out " + out + " exists already; name a new folder, nothing is overwritten");
    }
    for (var file : new Path[] {out, report}) {
      if (file != null) {
        var folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
          throw wrong("'" + folder + "' is no folder that can be written to, for " + file);
        }
      }
    }
    if (report != null && Files.isDirectory(report)) {
      throw wrong("--report " + report + " is a folder; name a file");
    }
    if (!(cfl > 0 && cfl <= 1)) {
      throw wrong("--cfl " + cfl + ": must be above 0, and at most 1 to be proved stable");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Grid deploy() {
    return grid == null
        ? Grid.local(jvms == null ? 2 : jvms, options())
        : Grid.deploy(grid, options());
  }

  private GridOptions options() {
    var options = GridOptions.standard().withVariables(variables);
    return transport == null ? options : options.withTransport(transport);
  }

  /** Those of the virtual node 'solvers', or all where the descriptor has none of this name. */
  private Nodes solverNodes(Grid deployed) throws InterruptedException, TimeoutException {
    var named =
        grid != null
            && Descriptor.read(grid, variables).virtualNodes().stream()
                .anyMatch(each -> each.name().equals(SOLVERS));
    var nodes = named ? deployed.nodes(SOLVERS) : deployed.nodes();
    return nodes.await(Nodes.all(), PATIENCE);
  }

  private void finish(Report finished) throws IOException {
    if (report != null) {
      writeWhole(report, finished.toJson());
    }
    if (out != null) {
      var unfinished = out.resolveSibling(out.getFileName() + ".unfinished");
      Files.createDirectory(unfinished);
      Files.writeString(unfinished.resolve("report.json"), finished.toJson());
      Files.writeString(unfinished.resolve("energy.csv"), finished.toEnergyCsv());
      Files.move(unfinished, out, StandardCopyOption.ATOMIC_MOVE);
    }
    System.out.print(finished.toTable());
  }

  /** Writes a file so that it is never seen half written. */
  private static void writeWhole(Path file, String text) throws IOException {
    var unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Files.writeString(unfinished, text);
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
