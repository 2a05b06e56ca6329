package org.troupe.deployment.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler.Drmaa;
import org.troupe.descriptors.BatchJvms.Scheduler.Flux;
import org.troupe.descriptors.BatchJvms.Scheduler.GridEngine;
import org.troupe.descriptors.BatchJvms.Scheduler.Htcondor;
import org.troupe.descriptors.BatchJvms.Scheduler.Lsf;
import org.troupe.descriptors.BatchJvms.Scheduler.Oar;
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

  /** The macro of HTCondor that has the number of machines. */
  static final String MACHINES = "troupe_machines";

  /** Part of the expression that removes jobs of HTCondor, which quotes it as the reason. */
  static final String BEGAN = "NumJobStarts > 0";

  /** Shorter than the time for which a launcher waits for the end of a job that it has removed. */
  private static final int SECONDS_TO_LEAVE = 15;

  private BatchOptions() {}

  /** One request, by whose name an element can skip it. */
  private record Request(String name, List<String> words) {

    Request(String name, String... words) {
      this(name, List.of(words));
    }
  }

  /**
   * Returns the options for the submission, without those that the element skips; the descriptor's
   * own come last, so that they win.
   */
  static List<String> of(BatchJvms element) {
    var options =
        switch (element.scheduler()) {
          case Slurm slurm -> words(element, slurm(element));
          case Pbs pbs -> pbs(element);
          case GridEngine gridEngine -> words(element, gridEngine(element, gridEngine));
          case Oar oar -> oar(element);
          case Flux flux -> words(element, flux(element));
          case Htcondor htcondor -> words(element, htcondor(element));
          case Lsf lsf -> words(element, lsf(element));
          case Drmaa drmaa -> drmaa(element, drmaa);
        };
    options.addAll(element.options());
    return options;
  }

  /** Returns the names of the requests that elements of this kind can skip. */
  private static List<String> names(BatchJvms.Scheduler kind) {
    return switch (kind) {
      case Slurm slurm ->
          List.of(
              "--no-requeue",
              "--nodes",
              "--ntasks-per-node",
              "--cpus-per-task",
              "--mem",
              "--time",
              "--partition",
              "--account");
      case Pbs pbs -> List.of("-r", "nodes", "mem", "walltime", "-q", "-A");
      case GridEngine gridEngine -> List.of("-r", "-w", "-pe", "mem_free", "h_rt", "-q", "-P");
      case Oar oar -> List.of("-l", "core", "walltime", "-q", "--project");
      case Flux flux ->
          List.of("--nodes", "--nslots", "--cores-per-slot", "--time-limit", "--queue", "--bank");
      case Htcondor htcondor ->
          List.of(
              "periodic_remove",
              "job_max_vacate_time",
              "request_cpus",
              "request_memory",
              "accounting_group");
      case Lsf lsf -> List.of("-n", "span", "-W", "-q", "-P");
      case Drmaa drmaa -> List.of();
    };
  }

  private static List<String> words(BatchJvms element, List<Request> requests) {
    var words = new ArrayList<String>();
    requests.stream()
        .filter(each -> !element.skip().contains(each.name()))
        .forEach(each -> words.addAll(each.words()));
    return words;
  }

  private static Request assignment(String name, Object value) {
    return new Request(name, name + "=" + value);
  }

  private static List<Request> slurm(BatchJvms element) {
    var requests = new ArrayList<Request>();
    requests.add(new Request("--no-requeue", "--no-requeue"));
    requests.add(assignment("--nodes", element.nodes()));
    requests.add(assignment("--ntasks-per-node", element.jvmsPerNode()));
    element.cpusPerJvm().ifPresent(cpus -> requests.add(assignment("--cpus-per-task", cpus)));
    element
        .memoryBytesPerJvm()
        .ifPresent(
            bytes -> requests.add(assignment("--mem", mib(bytes * element.jvmsPerNode()) + "M")));
    element.wallTime().ifPresent(time -> requests.add(assignment("--time", clock(time))));
    element.queue().ifPresent(queue -> requests.add(assignment("--partition", queue)));
    element.account().ifPresent(account -> requests.add(assignment("--account", account)));
    return requests;
  }

  private static List<String> pbs(BatchJvms element) {
    var slots = element.jvmsPerNode() * element.cpusPerJvm().orElse(1);
    var resources =
        new ArrayList<
            Request>(); // in one list, since Slurm's PBS commands use only the last of several
    resources.add(new Request("nodes", "nodes=" + element.nodes() + ":ppn=" + slots));
    var jvms = (long) element.nodes() * element.jvmsPerNode();
    element
        .memoryBytesPerJvm()
        .ifPresent(bytes -> resources.add(new Request("mem", "mem=" + mib(bytes * jvms) + "mb")));
    element
        .wallTime()
        .ifPresent(time -> resources.add(new Request("walltime", "walltime=" + clock(time))));
    var requests = new ArrayList<Request>();
    requests.add(new Request("-r", "-r", "n"));
    var asked = words(element, resources);
    if (!asked.isEmpty()) {
      requests.add(new Request("-l", "-l", String.join(",", asked)));
    }
    element.queue().ifPresent(queue -> requests.add(new Request("-q", "-q", queue)));
    element.account().ifPresent(account -> requests.add(new Request("-A", "-A", account)));
    return words(element, requests);
  }

  /**
   * Returns the options for Grid Engine, whose administrator decides how many slots of a parallel
   * environment a machine has. Without CPUs in the descriptor, the job requests one slot per
   * machine, which suits environments that spread jobs; with CPUs, one slot per CPU.
   */
  private static List<Request> gridEngine(BatchJvms element, GridEngine kind) {
    var requests = new ArrayList<Request>();
    requests.add(new Request("-r", "-r", "n"));
    requests.add(new Request("-w", "-w", "e"));
    var slots =
        element.cpusPerJvm().isPresent()
            ? element.nodes() * element.jvmsPerNode() * element.cpusPerJvm().getAsInt()
            : element.nodes();
    kind.parallelEnvironment()
        .ifPresent(name -> requests.add(new Request("-pe", "-pe", name, Integer.toString(slots))));
    element
        .memoryBytesPerJvm()
        .ifPresent(
            bytes -> {
              var all = bytes * element.nodes() * element.jvmsPerNode();
              requests.add(new Request("mem_free", "-l", "mem_free=" + mib(all / slots) + "M"));
            });
    element
        .wallTime()
        .ifPresent(time -> requests.add(new Request("h_rt", "-l", "h_rt=" + time.toSeconds())));
    element.queue().ifPresent(queue -> requests.add(new Request("-q", "-q", queue)));
    element.account().ifPresent(account -> requests.add(new Request("-P", "-P", account)));
    return requests;
  }

  /** Returns the options for OAR, whose resources are a path of levels and a time behind it. */
  private static List<String> oar(BatchJvms element) {
    var cores = element.jvmsPerNode() * element.cpusPerJvm().orElse(1);
    var resources = new ArrayList<Request>();
    resources.add(new Request("core", "/core=" + cores));
    element
        .wallTime()
        .ifPresent(time -> resources.add(new Request("walltime", ",walltime=" + clock(time))));
    var requests = new ArrayList<Request>();
    var path = "/nodes=" + element.nodes() + String.join("", words(element, resources));
    requests.add(new Request("-l", "-l", path));
    element.queue().ifPresent(queue -> requests.add(new Request("-q", "-q", queue)));
    element
        .account()
        .ifPresent(account -> requests.add(new Request("--project", "--project", account)));
    return words(element, requests);
  }

  private static List<Request> flux(BatchJvms element) {
    var requests = new ArrayList<Request>();
    requests.add(assignment("--nodes", element.nodes()));
    requests.add(assignment("--nslots", element.nodes() * element.jvmsPerNode()));
    element.cpusPerJvm().ifPresent(cpus -> requests.add(assignment("--cores-per-slot", cpus)));
    element
        .wallTime()
        .ifPresent(time -> requests.add(assignment("--time-limit", time.toSeconds() + "s")));
    element.queue().ifPresent(queue -> requests.add(assignment("--queue", queue)));
    element.account().ifPresent(account -> requests.add(assignment("--bank", account)));
    return requests;
  }

  /**
   * Returns the options for HTCondor. By an expression it removes jobs that would start again after
   * an eviction or a hold, and those that have reached their time limit, for which not all versions
   * have an option. JVMs that do not leave when they are asked to are killed after some seconds
   * instead of the 10 minutes that HTCondor allows.
   */
  private static List<Request> htcondor(BatchJvms element) {
    var requests = new ArrayList<Request>();
    requests.add(assignment(MACHINES, element.nodes()));
    var overdue =
        element
            .wallTime()
            .map(
                time ->
                    " || (JobStatus == 2 && time() - JobCurrentStartDate > %d)"
                        .formatted(time.toSeconds()))
            .orElse("");
    requests.add(
        assignment(
            "periodic_remove", "((JobStatus == 1 || JobStatus == 5) && " + BEGAN + ")" + overdue));
    requests.add(assignment("job_max_vacate_time", SECONDS_TO_LEAVE));
    requests.add(
        assignment("request_cpus", element.cpusPerJvm().orElse(1) * element.jvmsPerNode()));
    element
        .memoryBytesPerJvm()
        .ifPresent(
            bytes ->
                requests.add(
                    assignment("request_memory", mib(bytes * element.jvmsPerNode()) + "M")));
    element.account().ifPresent(account -> requests.add(assignment("accounting_group", account)));
    return requests;
  }

  /**
   * Returns the options for LSF, which takes hours and minutes only. It requests slots, of which
   * all machines have the same number.
   */
  private static List<Request> lsf(BatchJvms element) {
    var requests = new ArrayList<Request>();
    var slots = element.jvmsPerNode() * element.cpusPerJvm().orElse(1);
    requests.add(new Request("-n", "-n", Integer.toString(element.nodes() * slots)));
    requests.add(new Request("span", "-R", "span[ptile=" + slots + "]"));
    element
        .wallTime()
        .map(time -> time.plusSeconds(59))
        .ifPresent(
            time ->
                requests.add(
                    new Request(
                        "-W", "-W", "%d:%02d".formatted(time.toHours(), time.toMinutesPart()))));
    element.queue().ifPresent(queue -> requests.add(new Request("-q", "-q", queue)));
    element.account().ifPresent(account -> requests.add(new Request("-P", "-P", account)));
    return requests;
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
    for (var skipped : element.skip()) {
      var known = names(element.scheduler());
      if (!known.contains(skipped)) {
        problem(
            element,
            "'%s' skips '%s', which it does not pass anyway".formatted(element.id(), skipped),
            "choose from '" + String.join("', '", known) + "'",
            problems);
      }
    }
    switch (element.scheduler()) {
      case Slurm slurm -> {}
      case Pbs pbs -> {}
      case Oar oar ->
          withoutMemory(
              element,
              "OAR",
              "leave it out, and choose machines by their properties, such as"
                  + " <option>-p</option><option>memnode > 64000</option>",
              problems);
      case Flux flux ->
          withoutMemory(
              element,
              "Flux",
              "leave it out; <option>--exclusive</option> asks for whole machines",
              problems);
      case Htcondor htcondor -> {
        if (element.queue().isPresent()) {
          problem(
              element,
              "'%s' has a queue, which HTCondor does not have".formatted(element.id()),
              "leave it out, and choose machines by <option>requirements=...</option>",
              problems);
        }
      }
      case Lsf lsf ->
          withoutMemory(
              element,
              "LSF",
              "leave it out, as its unit depends on the site, and write the whole requirement as two"
                  + " <option>s, '-R' and a text such as 'span[ptile=4] rusage[mem=2048]', with"
                  + " skip=\"span\"",
              problems);
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

  private static void withoutMemory(
      BatchJvms element, String system, String remedy, List<String> problems) {
    if (element.memoryBytesPerJvm().isPresent()) {
      problem(
          element,
          "'%s' has memory, which %s cannot express".formatted(element.id(), system),
          remedy,
          problems);
    }
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
