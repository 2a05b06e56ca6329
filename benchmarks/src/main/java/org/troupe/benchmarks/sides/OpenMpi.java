package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.MpiProgram;
import org.troupe.benchmarks.harness.NetworkNamespaces;

/** The peer of collective operations: a C program for Open MPI. Not thread-safe. */
public final class OpenMpi implements AutoCloseable {

  /** MCA parameter: communicates through shared memory. */
  public static final String SHM = "vader,self";

  /** MCA parameter: communicates through TCP. */
  public static final String TCP = "tcp,self";

  private final MpiProgram program;

  private OpenMpi(MpiProgram program) {
    this.program = program;
  }

  /** Returns why the peer cannot be measured here; empty if it can. */
  public static Optional<String> whyUnavailable() throws IOException, InterruptedException {
    for (var tool : List.of("mpicc", "mpirun")) {
      if (!ExternalCommand.isInstalled(tool)) {
        return Optional.of(
            "there is no " + tool + "; Debian has it in openmpi-bin and libopenmpi-dev");
      }
    }
    var version = ExternalCommand.run("mpirun", Path.of("."), List.of("mpirun", "--version"));
    return version.contains("Open MPI")
        ? Optional.empty()
        : Optional.of("the mpirun on the PATH is not that of Open MPI");
  }

  /** Compiles the program. */
  public static OpenMpi compiled() throws IOException, InterruptedException {
    return new OpenMpi(MpiProgram.compiled(OpenMpi.class, "collectives"));
  }

  /**
   * Starts processes that measure loads with the names of {@link GroupClient}.
   *
   * @param transports {@link #SHM} or {@link #TCP}
   */
  public ContenderProcess start(
      int processes, String transports, CorePinning pinning, MeasurementEffort effort)
      throws IOException {
    List<String> command = new ArrayList<>(pinning.prefix());
    command.addAll(
        program.command(
            processes, List.of("--mca", "btl", transports), List.of(effort.roundMillis())));
    return ContenderProcess.start("Open MPI", command);
  }

  /**
   * Starts processes on simulated hosts, between which they communicate through TCP.
   *
   * @param processes the number of processes on each host
   */
  public ContenderProcess start(
      NetworkNamespaces network, int processes, CorePinning pinning, MeasurementEffort effort)
      throws IOException {
    var hosts = network.hosts();
    List<String> command = new ArrayList<>(hosts.getFirst().prefix());
    command.addAll(pinning.prefix());
    List<String> options = new ArrayList<>(List.of("--mca", "btl", "vader," + TCP));
    options.addAll(network.mpiOptions(processes));
    command.addAll(
        program.command(hosts.size() * processes, options, List.of(effort.roundMillis())));
    return ContenderProcess.start("Open MPI", command);
  }

  @Override
  public void close() {
    program.close();
  }
}
