package org.troupe.deployment.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.kubernetes.JobManifest;
import org.troupe.deployment.kubernetes.Kubectl;
import org.troupe.deployment.kubernetes.KubernetesJob;
import org.troupe.deployment.model.JobStatus;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.staging.JavaCommand;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.SourceProblem;

/** Starts JVMs in pods: one Job for all nodes of an element. */
final class KubernetesLauncher implements Launcher, KubernetesJob.Site {

  private final KubernetesJvms element;
  private final List<String> virtualNodes;
  private final MachineRegistry machines;
  private final JavaCommand java;
  private final FrontEndRoutes routes;
  private @Nullable String manifest; // null before it is asked for; under this
  // By the number of the first node; under this.
  private final TreeMap<Integer, KubernetesJob> jobs = new TreeMap<>();

  KubernetesLauncher(KubernetesJvms element, List<String> virtualNodes, MachineRegistry machines) {
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
    element
        .patch()
        .filter(file -> !Files.isReadable(file))
        .ifPresent(
            file ->
                problem(
                    "the patch '" + file + "' is not there, or cannot be read",
                    "write it, or correct the path",
                    problems));
    if (element.via().isPresent()) {
      try {
        machines.describe(element.via().get());
      } catch (IOException e) {
        problem(String.valueOf(e.getMessage()), "see the ssh configuration", problems);
      }
    }
    return problems;
  }

  private void problem(String what, String remedy, List<String> problems) {
    problems.add(new SourceProblem(element.place(), what, remedy).toString());
  }

  @Override
  public List<PlannedNode> nodes() {
    return nodes(0, element.pods());
  }

  /** Plans one more Job. */
  @Override
  public List<PlannedNode> more(int planned, int count) {
    addJob(planned, element.withPods(count));
    return nodes(planned, count);
  }

  private List<PlannedNode> nodes(int planned, int count) {
    var line =
        ShellLine.plain(plannedCommand(), element.jvm().environment(), element.workingDirectory());
    return IntStream.rangeClosed(planned + 1, planned + count)
        .mapToObj(
            number ->
                new PlannedNode(
                    element.id() + "-" + number,
                    virtualNodes,
                    Kubectl.cluster(element.context(), element.via()),
                    line,
                    element.place()))
        .toList();
  }

  private List<String> plannedCommand() {
    try {
      return command();
    } catch (IOException e) {
      return List.of("java"); // one of the problems
    }
  }

  @Override
  public String preparation() {
    var name = JobManifest.name("RUN", element, 0);
    return """
        the Job of '%s' is created in %s by
          %s
        from this manifest%s (RUN is a new name for each run); a Secret of the same name has the settings of its nodes:
        %s%s"""
        .formatted(
            element.id(),
            Kubectl.cluster(element.context(), element.via()),
            ShellLine.of(JobManifest.creation(element)),
            element.patch().map(file -> ", with the patch '" + file + "'").orElse(""),
            JobManifest.job(
                    element, name, element.jvm().hasSharedFiles() ? plannedCommand() : List.of())
                .indent(2)
                .stripTrailing(),
            routes.description());
  }

  @Override
  public List<JobStatus> jobs() {
    TreeMap<Integer, KubernetesJob> known;
    String its;
    synchronized (this) {
      known = new TreeMap<>(jobs);
      if (manifest == null) { // asked for each second, so made once
        manifest = java.withoutValues(preparation());
      }
      its = manifest;
    }
    var all = new ArrayList<JobStatus>();
    known.forEach((first, job) -> all.add(status(first + 1, job, its)));
    return all;
  }

  private JobStatus status(int first, KubernetesJob job, String itsManifest) {
    var asked = job.element();
    var progress = job.status();
    return new JobStatus(
        asked.id(),
        first,
        Kubectl.cluster(asked.context(), asked.via()),
        itsManifest,
        progress.job(),
        progress.state(),
        progress.reason(),
        progress.submitMillis(),
        progress.startMillis(),
        progress.endMillis(),
        asked.wallTime().map(Duration::toSeconds).orElse(0L),
        asked.pods(),
        job.begun(),
        asked.pods(),
        asked.jvm().hasSharedFiles()
            ? JobStatus.Copied.NONE
            : machines.staging().copied(asked.jvm()),
        progress.output());
  }

  /** Returns the process of a node; its Job is created when all nodes have their settings. */
  @Override
  public StartedProcess start(PlannedNode node) {
    var index = Integer.parseInt(node.name().substring(element.id().length() + 1)) - 1;
    addJob(0, element);
    synchronized (this) {
      var its = jobs.floorEntry(index);
      return its.getValue().node(index - its.getKey());
    }
  }

  private synchronized void addJob(int first, KubernetesJvms asked) {
    if (!jobs.containsKey(first)) {
      var job = new KubernetesJob(asked, JobManifest.name(machines.run().id(), asked, first), this);
      jobs.put(first, job);
      machines.batchSystems().add(job);
    }
  }

  // The needs of the Job

  @Override
  public RunJournal run() {
    return machines.run();
  }

  @Override
  public Machine machine() throws IOException {
    return machines.of(element.via());
  }

  @Override
  public List<String> command() throws IOException {
    return java.on(machines.staging().planned(element.jvm()));
  }

  @Override
  public List<String> command(Machine pod) throws IOException {
    return java.on(machines.staging().on(pod, element.jvm()));
  }

  @Override
  public List<byte[]> withRoutes(List<byte[]> settings) throws IOException {
    return routes.addedTo(settings);
  }
}
