package org.troupe.descriptors.xml;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Says what to write instead of attributes and elements that only other elements have. */
final class MisplacedParts {

  private static final String JOBS = "slurm pbs gridEngine oar flux htcondor lsf ";
  private static final String ALL = "local ssh kubernetes drmaa " + JOBS;

  /** The remedy for parts of these names in elements of those names. */
  private record Remedy(Set<String> parts, Set<String> elements, String text) {}

  private static final List<Remedy> REMEDIES =
      List.of(
          of(
              "javaHome sharedFiles option classPath environment property",
              ALL,
              "it belongs in a <jvm>, which this element names by jvm=\"...\""),
          of("option", "login", "options of ssh belong in your ssh configuration"),
          of(
              "prologue",
              "kubernetes",
              "pods start with what their image has: extend the image, or set variables by <environment> in a <jvm>"),
          of(
              "prologue",
              "local ssh",
              "only jobs of batch systems run commands before a JVM: set variables by <environment> in a <jvm>, or run the commands on the machine beforehand"),
          of(
              "prologue",
              "jvm login infrastructure",
              "it belongs in the element of a batch system, such as <slurm>"),
          of("mount", "local ssh drmaa " + JOBS, "only pods have mounts: remove it"),
          of(
              "memory",
              "local ssh jvm",
              "only jobs and pods request memory: limit the heap by <option>-Xmx2g</option> in a <jvm>"),
          of(
              "cpus",
              "local ssh jvm",
              "only jobs and pods request processors: limit those that a JVM uses by <option>-XX:ActiveProcessorCount=2</option> in a <jvm>"),
          of(
              "queue account wallTime",
              "local ssh",
              "only jobs have it: remove it, or use the element of a batch system, such as <slurm>"),
          of("nodes jvmsPerNode", "local", "say how many JVMs by 'jvms'"),
          of("hosts", "local", "only <ssh> starts JVMs on other machines: use that, or remove it"),
          of("nodes", "ssh", "name the machines by 'hosts'"),
          of("jvmsPerNode", "ssh", "say how many JVMs on each host by 'jvms'"),
          of("jvms", "drmaa " + JOBS, "say how many JVMs on each machine by 'jvmsPerNode'"),
          of(
              "hosts",
              "drmaa " + JOBS,
              "the batch system chooses the machines: say how many by 'nodes'"),
          of(
              "nodes jvms jvmsPerNode hosts",
              "kubernetes",
              "each pod has one JVM: say how many by 'pods'"),
          of(
              "queue",
              "kubernetes",
              "Kubernetes has no queues: choose machines by 'nodeSelector', or extend the Job by a 'patch'"),
          of("account", "kubernetes", "Kubernetes charges no accounts: choose a 'namespace'"),
          of("partition", "slurm", "write 'queue'"),
          of("time", JOBS, "write 'wallTime'"),
          of("parallelEnvironment", JOBS, "only Grid Engine has it: remove it"),
          of(
              "queue account cpus memory",
              "drmaa",
              "DRMAA does not define it: request it by an <option> in the batch system's syntax"),
          of("via", "drmaa", "the library must be on the machine that deploys: remove it"));

  private MisplacedParts() {}

  private static Remedy of(String parts, String elements, String text) {
    return new Remedy(Set.of(parts.split(" ")), Set.of(elements.strip().split(" ")), text);
  }

  /**
   * Returns what to write instead of a part that an element does not have, if it is a known one.
   */
  static Optional<String> remedy(String part, String element) {
    return REMEDIES.stream()
        .filter(each -> each.parts.contains(part) && each.elements.contains(element))
        .map(Remedy::text)
        .findFirst();
  }
}
