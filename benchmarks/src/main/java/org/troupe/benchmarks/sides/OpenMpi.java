package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;

/**
 * The same collectives by Open MPI, in a small C program that is compiled into a folder for it. For
 * one thread.
 */
public final class OpenMpi implements AutoCloseable {

  /** By shared memory. */
  public static final String SHM = "vader,self";

  public static final String TCP = "tcp,self";

  private static final String SOURCE = "collectives.c";
  private static final String PROGRAM = "collectives";

  private final Path folder;

  private OpenMpi(Path folder) {
    this.folder = folder;
  }

  /** Returns why it cannot be measured here; empty if it can. */
  public static Optional<String> hindrance() throws IOException, InterruptedException {
    for (var tool : List.of("mpicc", "mpirun")) {
      if (!ExternalCommand.isInstalled(tool)) {
        return Optional.of(
            "there is no " + tool + "; Debian has it in openmpi-bin and libopenmpi-dev");
      }
    }
    return output("mpirun", "--version").contains("Open MPI")
        ? Optional.empty()
        : Optional.of("the mpirun here is not Open MPI's");
  }

  /** Compiles the program. */
  public static OpenMpi compiled() throws IOException, InterruptedException {
    var mpi = new OpenMpi(Files.createTempDirectory("troupe-bench"));
    try (var source = OpenMpi.class.getResourceAsStream(SOURCE)) {
      Files.copy(source, mpi.folder.resolve(SOURCE));
      output(
          "mpicc",
          "-O3",
          "-o",
          mpi.folder.resolve(PROGRAM).toString(),
          mpi.folder.resolve(SOURCE).toString());
      return mpi;
    } catch (IOException | InterruptedException e) {
      mpi.close();
      throw e;
    }
  }

  private static String output(String... command) throws IOException, InterruptedException {
    return ExternalCommand.said(command[0], Path.of("."), List.of(command));
  }

  /**
   * Starts processes that measure what they are told, in the words of {@link GroupClient}.
   *
   * @param transports {@link #SHM} or {@link #TCP}
   */
  public ContenderProcess start(
      int processes, String transports, CorePinning pinning, MeasurementEffort effort)
      throws IOException {
    var command = new ArrayList<>(pinning.prefix());
    command.addAll(
        List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
    command.addAll(List.of("--mca", "btl", transports));
    command.addAll(List.of("--mca", "mpi_yield_when_idle", "1"));
    command.addAll(List.of("-np", String.valueOf(processes)));
    command.add(folder.resolve(PROGRAM).toString());
    command.add(String.valueOf(effort.roundMillis()));
    return ContenderProcess.start("Open MPI", command);
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(folder.resolve(PROGRAM));
      Files.deleteIfExists(folder.resolve(SOURCE));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      folder.toFile().deleteOnExit(); // a benchmark's few bytes in the system's folder for such
    }
  }
}
