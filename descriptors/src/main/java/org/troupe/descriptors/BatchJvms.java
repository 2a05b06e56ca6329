package org.troupe.descriptors;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * JVMs that a batch system grants: one job for all of them.
 *
 * @param via the front end on which its commands are; empty for the machine that deploys
 * @param nodes how many machines, at least one
 * @param jvmsPerNode how many on each, at least one
 * @param cpusPerJvm empty for the default of the batch system
 * @param memoryBytesPerJvm empty for the default of the batch system
 * @param wallTime empty for the batch system's own limit
 * @param queue a queue or partition; empty for the usual one
 * @param options further ones for the submission, one argument each
 * @param workingDirectory on those machines, absolute or from the home directory; empty for that
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
    Jvm jvm,
    Cluster cluster,
    Optional<String> workingDirectory,
    SourcePosition place)
    implements Infrastructure {

  /** Copies the list. */
  public BatchJvms {
    options = List.copyOf(options);
  }

  /** Returns this element with another number of machines. */
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
     * @param parallelEnvironment which one spreads a job over machines; empty if one machine is
     *     enough
     */
    record GridEngine(Optional<String> parallelEnvironment) implements Scheduler {}

    /**
     * Any batch system with a DRMAA 1 library on the machine that deploys.
     *
     * @param library empty for the system's own {@code libdrmaa.so}
     * @param nodesOption what asks for machines in the library's native specification, with {@code
     *     %d} for their number; empty if one machine is enough
     */
    record Drmaa(Optional<Path> library, Optional<String> nodesOption) implements Scheduler {}
  }
}
