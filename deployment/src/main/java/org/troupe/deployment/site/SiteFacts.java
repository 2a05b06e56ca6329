package org.troupe.deployment.site;

import java.util.List;
import java.util.Optional;

/**
 * The answers of the front end of a site. Immutable.
 *
 * @param host the front end, as the user has named it
 * @param asked the time, in ISO 8601
 * @param system the operating system and the architecture, such as {@code Linux x86_64}
 * @param queues the queues, or the partitions of Slurm, that a job can be submitted to; the usual
 *     one first
 * @param accounts the accounts or projects of the user; empty if jobs need none
 * @param parallelEnvironments those of Grid Engine that the usual queue offers, the one that
 *     spreads jobs best first
 * @param hasDryRun whether the batch system could be asked which options it refuses
 * @param refusals the options that it is known to refuse
 * @param java the Java installations that were found, each with its version
 * @param modules the modules whose names look like a Java
 * @param scratch the writable folders for large files, each with its free space
 * @param dialled the addresses of the machine that asked at which the front end reaches it; empty
 *     if it reaches none
 * @param remarks what keeps jobs from running, in sentences
 */
public record SiteFacts(
    String host,
    String asked,
    String system,
    Scheduler scheduler,
    List<Queue> queues,
    List<String> accounts,
    List<String> parallelEnvironments,
    boolean hasDryRun,
    List<Refusal> refusals,
    List<String> java,
    List<String> modules,
    List<String> scratch,
    List<String> dialled,
    List<String> remarks) {

  /** Copies the lists. */
  public SiteFacts {
    queues = List.copyOf(queues);
    accounts = List.copyOf(accounts);
    parallelEnvironments = List.copyOf(parallelEnvironments);
    refusals = List.copyOf(refusals);
    java = List.copyOf(java);
    modules = List.copyOf(modules);
    scratch = List.copyOf(scratch);
    dialled = List.copyOf(dialled);
    remarks = List.copyOf(remarks);
  }

  /** The kind of a batch system. */
  public enum Scheduler {
    SLURM("Slurm", "slurm"),
    PBS("PBS", "pbs"),
    GRID_ENGINE("Grid Engine", "gridEngine"),
    OAR("OAR", "oar"),
    FLUX("Flux", "flux"),
    HTCONDOR("HTCondor", "htcondor"),
    LSF("LSF", "lsf"),
    NONE("no batch system", "ssh");

    private final String title;
    private final String element;

    Scheduler(String title, String element) {
      this.title = title;
      this.element = element;
    }

    /** Returns its name, as users know it. */
    public String title() {
      return title;
    }

    /** Returns the descriptor's element for its jobs. */
    String element() {
      return element;
    }
  }

  /**
   * A queue.
   *
   * @param name as jobs name it; empty if they cannot, or need not, name the usual one
   * @param isUsual whether jobs go there that name no queue
   * @param longestSeconds the longest time limit of a job; 0 if none is known
   * @param nodes the number of its machines; 0 if that is not known
   * @param cpus the processors of a machine; 0 if that is not known
   */
  public record Queue(String name, boolean isUsual, long longestSeconds, int nodes, int cpus) {

    /** Returns whether jobs can name it. */
    boolean hasName() {
      return !name.isEmpty();
    }

    /** Returns its name, for users. */
    String title() {
      return hasName() ? "queue " + name + (isUsual ? " (the usual one)" : "") : "the usual queue";
    }
  }

  /**
   * An option that the batch system refuses.
   *
   * @param option its name, as the attribute {@code skip} of a descriptor takes it
   * @param reason the answer of the batch system
   */
  public record Refusal(String option, String reason) {}

  /** Returns the queue that a descriptor uses; empty if there is none. */
  Optional<Queue> queue() {
    return queues.stream().findFirst();
  }
}
