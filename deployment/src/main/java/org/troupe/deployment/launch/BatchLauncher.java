package org.troupe.deployment.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.batch.BatchJob;
import org.troupe.deployment.batch.BatchOptions;
import org.troupe.deployment.batch.BatchSystem;
import org.troupe.deployment.batch.BatchSystems;
import org.troupe.deployment.batch.JobProgress;
import org.troupe.deployment.batch.JobScript;
import org.troupe.deployment.batch.JobWatch;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.SourceProblem;

/** Starts JVMs through a batch system: one job for all nodes of an element. */
public final class BatchLauncher implements Launcher, BatchJob.Site {

  private final BatchJvms element;
  private final List<String> virtualNodes;
  private final MachineRegistry machines;
  private final JavaCommand java;
  private final FrontEndRoutes routes;
  private @Nullable String script; // for rows of jobs; under this; null until it is asked for
  private final Optional<HeldMachines> held = HeldMachines.ofThisProgram();
  private final TreeMap<Integer, BatchJob> jobs = new TreeMap<>(); // by first number; under this

  public BatchLauncher(BatchJvms element, List<String> virtualNodes, MachineRegistry machines) {
    this.element = element;
    this.virtualNodes = virtualNodes;
    this.machines = machines;
    java = new JavaCommand(element.jvm(), machines.run());
    routes =
        new FrontEndRoutes(element.id(), element.via(), element.jvm(), element.cluster(), machines);
  }

  @Override
  public List<String> problems() {
    var problems = new ArrayList<>(java.classPathProblems());
    problems.addAll(BatchOptions.problems(element));
    held.ifPresent(machines -> problems.addAll(machines.problems(element)));
    if (element.via().isPresent()) {
      try {
        machines.describe(element.via().get());
      } catch (IOException e) {
        problems.add(
            new SourceProblem(
                    element.place(), String.valueOf(e.getMessage()), "see the ssh configuration")
                .toString());
      }
    }
    return problems;
  }

  @Override
  public List<PlannedNode> nodes() {
    return nodes(0, element);
  }

  /** Plans one more job, of whole machines. */
  @Override
  public List<PlannedNode> more(int planned, int count) {
    var each = element.jvmsPerNode();
    var asked = element.withNodes((count + each - 1) / each);
    addJob(planned, asked);
    return nodes(planned, asked);
  }

  private List<PlannedNode> nodes(int planned, BatchJvms asked) {
    var line = ShellLine.plain(plannedCommand(), element.jvm().environment(), Optional.empty());
    return IntStream.rangeClosed(planned + 1, planned + asked.nodes() * asked.jvmsPerNode())
        .mapToObj(
            number ->
                new PlannedNode(
                    element.id() + "-" + number,
                    virtualNodes,
                    BatchSystems.name(element),
                    line,
                    element.place()))
        .toList();
  }

  private List<String> plannedCommand() {
    try {
      return element.via().isPresent()
          ? java.on(machines.staging().planned(element.jvm()))
          : java.here();
    } catch (IOException e) {
      return List.of("java"); // one of the problems
    }
  }

  @Override
  public String preparation() {
    var folder =
        "HOME/"
            + RunJournal.RUNS
            + "RUN-"
            + element.id(); // the text explains the words in capitals
    return """
        the job of '%s' is submitted to %s by
          %s
        with this script (HOME is the home directory there, RUN a new name for each run):
        %s%s"""
        .formatted(
            element.id(),
            BatchSystems.name(element),
            ShellLine.of(BatchSystems.submission(element, folder)),
            JobScript.of(element, folder, plannedCommand()).indent(2).stripTrailing(),
            routes.description());
  }

  @Override
  public List<JobStatus> jobs() {
    Map<Integer, BatchJob> known;
    String its;
    synchronized (this) {
      known = new TreeMap<>(jobs);
      if (script == null) { // asked for each second, so made once
        script = java.withoutValues(preparation());
      }
      its = script;
    }
    List<JobStatus> all = new ArrayList<>();
    known.forEach((first, job) -> all.add(status(first + 1, job.element(), its, job.status())));
    return all;
  }

  private JobStatus status(int first, BatchJvms asked, String script, JobProgress progress) {
    return new JobStatus(
        asked.id(),
        first,
        BatchSystems.name(asked),
        script,
        progress.job(),
        progress.state(),
        progress.reason(),
        progress.submitMillis(),
        progress.startMillis(),
        progress.endMillis(),
        asked.wallTime().map(Duration::toSeconds).orElse(0L),
        asked.nodes(),
        progress.hasBegun() ? asked.nodes() : 0,
        asked.nodes() * asked.jvmsPerNode(),
        asked.via().isPresent() ? machines.staging().copied(asked.jvm()) : JobStatus.Copied.NONE,
        progress.output());
  }

  /** Returns the process of a node; its job is submitted when all nodes have their settings. */
  @Override
  public StartedProcess start(PlannedNode node) {
    var index = Integer.parseInt(node.name().substring(element.id().length() + 1)) - 1;
    addJob(0, element);
    synchronized (this) {
      var its = jobs.floorEntry(index);
      return its.getValue().node(index - its.getKey());
    }
  }

  private synchronized void addJob(int first, BatchJvms asked) {
    if (!jobs.containsKey(first)) {
      var name = folderName(machines.run().id(), element.id(), first);
      var job = new BatchJob(asked, name, first == 0 ? this : new AdditionalJob());
      jobs.put(first, job);
      machines.batchSystems().add(job);
    }
  }

  /**
   * Returns the name of a job's folder among those of all runs.
   *
   * @param first the number of the job's first node, counted from 0
   */
  static String folderName(String run, String element, int first) {
    return run + "-" + element + (first == 0 ? "" : "+" + first); // no id has a plus sign
  }

  // The needs of the job

  @Override
  public RunJournal run() {
    return machines.run();
  }

  @Override
  public Machine machine() throws IOException {
    return machines.of(element.via());
  }

  @Override
  public JobWatch<BatchSystem> watch(Machine machine) throws IOException {
    var job = held.flatMap(each -> each.of(element));
    return job.isPresent()
        ? machines.batchSystems().of(element, machine, job.get())
        : machines.batchSystems().of(element, machine);
  }

  /**
   * The needs of a job for more nodes than the element asks for. It gets machines of its own, since
   * it would wait in vain for held ones, which the first job uses.
   */
  private final class AdditionalJob implements BatchJob.Site {

    @Override
    public RunJournal run() {
      return BatchLauncher.this.run();
    }

    @Override
    public Machine machine() throws IOException {
      return BatchLauncher.this.machine();
    }

    @Override
    public JobWatch<BatchSystem> watch(Machine machine) throws IOException {
      return machines.batchSystems().of(element, machine);
    }

    @Override
    public List<String> command(Machine machine) throws IOException {
      return BatchLauncher.this.command(machine);
    }

    @Override
    public List<byte[]> withRoutes(List<byte[]> settings) throws IOException {
      return BatchLauncher.this.withRoutes(settings);
    }
  }

  @Override
  public List<String> command(Machine machine) throws IOException {
    return element.via().isPresent()
        ? java.on(machines.staging().on(machine, element.jvm()))
        : java.here();
  }

  @Override
  public List<byte[]> withRoutes(List<byte[]> settings) throws IOException {
    return routes.addedTo(settings);
  }
}
