package org.troupe.deployment.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Pbs;
import org.troupe.descriptors.BatchJvms.Scheduler.Slurm;
import org.troupe.descriptors.SourceProblem;

/** The resources that an element asks for, as options of its batch system. */
public final class BatchOptions {

  /*
   * The batch system must not rerun a job: its nodes would come back under the names of nodes that are known to be
   * dead. On Grid Engine memory is a request and not a limit, since a limit on address space (h_vmem) ends every JVM
   * at once: a JVM reserves far more than it uses.
   */
  private static final long MIB = 1 << 20;

  private BatchOptions() {}

  /** Returns the options for the submission; the descriptor's own come last, so that they win. */
  static List<String> of(BatchJvms element) {
    var options =
        switch (element.scheduler()) {
          case Slurm slurm -> slurm(element);
          case Pbs pbs -> pbs(element);
          case GridEngine gridEngine -> gridEngine(element, gridEngine);
          case Drmaa drmaa -> drmaa(element, drmaa);
        };
    options.addAll(element.options());
    return options;
  }

  private static List<String> slurm(BatchJvms element) {
    var options = new ArrayList<String>();
    options.add("--no-requeue");
    options.add("--nodes=" + element.nodes());
    options.add("--ntasks-per-node=" + element.jvmsPerNode());
    element.cpusPerJvm().ifPresent(cpus -> options.add("--cpus-per-task=" + cpus));
    element
        .memoryBytesPerJvm()
        .ifPresent(bytes -> options.add("--mem=" + mib(bytes * element.jvmsPerNode()) + "M"));
    element.wallTime().ifPresent(time -> options.add("--time=" + clock(time)));
    element.queue().ifPresent(queue -> options.add("--partition=" + queue));
    element.account().ifPresent(account -> options.add("--account=" + account));
    return options;
  }

  private static List<String> pbs(BatchJvms element) {
    var slots = element.jvmsPerNode() * element.cpusPerJvm().orElse(1);
    var resources =
        new ArrayList<
            String>(); // in one list, since Slurm's PBS commands use only the last of several
    resources.add("nodes=" + element.nodes() + ":ppn=" + slots);
    var jvms = (long) element.nodes() * element.jvmsPerNode();
    element
        .memoryBytesPerJvm()
        .ifPresent(bytes -> resources.add("mem=" + mib(bytes * jvms) + "mb"));
    element.wallTime().ifPresent(time -> resources.add("walltime=" + clock(time)));
    var options = new ArrayList<>(List.of("-r", "n", "-l", String.join(",", resources)));
    element.queue().ifPresent(queue -> options.addAll(List.of("-q", queue)));
    element.account().ifPresent(account -> options.addAll(List.of("-A", account)));
    return options;
  }

  /**
   * Returns the options for Grid Engine, whose administrator decides how many slots of a parallel
   * environment a machine has. Without CPUs in the descriptor, the job requests one slot per
   * machine, which suits environments that spread jobs; with CPUs, one slot per CPU.
   */
  private static List<String> gridEngine(BatchJvms element, GridEngine kind) {
    var options = new ArrayList<>(List.of("-r", "n", "-w", "e"));
    var slots =
        element.cpusPerJvm().isPresent()
            ? element.nodes() * element.jvmsPerNode() * element.cpusPerJvm().getAsInt()
            : element.nodes();
    kind.parallelEnvironment()
        .ifPresent(name -> options.addAll(List.of("-pe", name, Integer.toString(slots))));
    element
        .memoryBytesPerJvm()
        .ifPresent(
            bytes -> {
              var all = bytes * element.nodes() * element.jvmsPerNode();
              options.addAll(List.of("-l", "mem_free=" + mib(all / slots) + "M"));
            });
    element.wallTime().ifPresent(time -> options.addAll(List.of("-l", "h_rt=" + time.toSeconds())));
    element.queue().ifPresent(queue -> options.addAll(List.of("-q", queue)));
    element.account().ifPresent(account -> options.addAll(List.of("-P", account)));
    return options;
  }

  private static List<String> drmaa(BatchJvms element, Drmaa kind) {
    var options = new ArrayList<String>();
    kind.nodesOption()
        .map(option -> option.replace("%d", Integer.toString(element.nodes())))
        .ifPresent(option -> options.addAll(List.of(option.strip().split("\\s+"))));
    return options;
  }

  /** Returns the requests that the batch system cannot express. */
  public static List<String> problems(BatchJvms element) {
    var problems = new ArrayList<String>();
    switch (element.scheduler()) {
      case Slurm slurm -> {}
      case Pbs pbs -> {}
      case GridEngine(var environment) -> {
        if (environment.isEmpty() && element.nodes() > 1) {
          problem(
              element,
              "'%s' asks Grid Engine for %d machines, which needs a parallel environment"
                  .formatted(element.id(), element.nodes()),
              "name one that spreads jobs over machines as parallelEnvironment; 'qconf -spl' lists"
                  + " them",
              problems);
        }
      }
      case Drmaa drmaa -> {
        if (drmaa.nodesOption().isEmpty() && element.nodes() > 1) {
          problem(
              element,
              "'%s' asks for %d machines, which DRMAA cannot express"
                  .formatted(element.id(), element.nodes()),
              "give the batch system's own option, with %d for the number, as nodesOption",
              problems);
        }
        unsupported(element, "queue", element.queue().isPresent(), problems);
        unsupported(element, "account", element.account().isPresent(), problems);
        unsupported(element, "cpus", element.cpusPerJvm().isPresent(), problems);
        unsupported(element, "memory", element.memoryBytesPerJvm().isPresent(), problems);
      }
    }
    return problems;
  }

  private static void unsupported(
      BatchJvms element, String name, boolean isThere, List<String> problems) {
    if (isThere) {
      problem(
          element,
          "'%s' has %s, which DRMAA cannot express".formatted(element.id(), name),
          "give the batch system's own option instead",
          problems);
    }
  }

  private static void problem(
      BatchJvms element, String what, String remedy, List<String> problems) {
    problems.add(new SourceProblem(element.place(), what, remedy).toString());
  }

  private static long mib(long bytes) {
    return (bytes + MIB - 1) / MIB;
  }

  /**
   * Returns hours, minutes and seconds as sbatch, PBS's qsub and Grid Engine's qsub accept them.
   */
  private static String clock(Duration time) {
    return "%02d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }
}
