package org.troupe.descriptors;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * JVMs in one job of a batch system.
 *
 * @param via the front end with the batch system's commands; empty for the machine that deploys
 * @param nodes the number of machines, at least one
 * @param jvmsPerNode the number of JVMs on each machine, at least one
 * @param cpusPerJvm the CPUs of a JVM; empty for the default of the batch system
 * @param memoryBytesPerJvm the memory of a JVM; empty for the default of the batch system
 * @param wallTime the time limit of the job; empty for the batch system's default
 * @param queue the queue or partition; empty for the default one
 * @param options further options of the submission, one argument each
 * @param prologue commands of the shell that are run before each JVM, in its environment, such as
 *     {@code module load gdal}
 * @param skip the names of the options, or resources, that are not passed to the batch system even
 *     though the other values ask for them, such as {@code --mem}
 * @param workingDirectory a folder on those machines, absolute or relative to the home directory;
 *     empty for the home directory
 */
public record BatchJvms(
    String id,
    Scheduler scheduler,
    Optional<Login> via,
    int nodes,
    int jvmsPerNode,
    OptionalInt cpusPerJvm,
    OptionalLong memoryBytesPerJvm,
    Optional<Duration> wallTime,
    Optional<String> queue,
    Optional<String> account,
    List<String> options,
    List<String> prologue,
    List<String> skip,
    Jvm jvm,
    Cluster cluster,
    Optional<String> workingDirectory,
    SourcePosition place)
    implements Infrastructure {

  /** Copies the lists. */
  public BatchJvms {
    options = List.copyOf(options);
    prologue = List.copyOf(prologue);
    skip = List.copyOf(skip);
  }

  /** Returns a copy with another number of machines. */
  public BatchJvms withNodes(int number) {
    return new BatchJvms(
        id,
        scheduler,
        via,
        number,
        jvmsPerNode,
        cpusPerJvm,
        memoryBytesPerJvm,
        wallTime,
        queue,
        account,
        options,
        prologue,
        skip,
        jvm,
        cluster,
        workingDirectory,
        place);
  }

  /** A kind of batch system. */
  public sealed interface Scheduler {

    /** Slurm, by its commands. */
    record Slurm() implements Scheduler {}

    /** PBS, OpenPBS or Torque, by their commands. */
    record Pbs() implements Scheduler {}

    /**
     * Grid Engine.
     *
     * @param parallelEnvironment the environment that spreads a job over machines; empty if one
     *     machine is enough
     */
    record GridEngine(Optional<String> parallelEnvironment) implements Scheduler {}

    /** OAR, by its commands. */
    record Oar() implements Scheduler {}

    /** Flux, by its commands. */
    record Flux() implements Scheduler {}

    /** HTCondor, by its commands. */
    record Htcondor() implements Scheduler {}

    /** LSF, or another batch system with its commands. */
    record Lsf() implements Scheduler {}

    /**
     * Any batch system with a DRMAA 1 library on the machine that deploys.
     *
     * @param library the library; empty for the system's {@code libdrmaa.so}
     * @param nodesOption the option that requests machines in the library's native specification,
     *     with {@code %d} for their number; empty if one machine is enough
     */
    record Drmaa(Optional<Path> library, Optional<String> nodesOption) implements Scheduler {}
  }
}
