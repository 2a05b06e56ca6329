package org.troupe.deployment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.ggf.drmaa.DrmaaException;
import org.troupe.descriptors.Batch;
import org.troupe.descriptors.Problem;

/** Starts JVMs through a batch system: one job for all of an element. */
final class BatchLauncher implements Launcher, Bundle.Site {

  private final Batch element;
  private final List<String> virtualNodes;
  private final Machines machines;
  private final TreeMap<Integer, Bundle> bundles = new TreeMap<>(); // by first number; under this

  BatchLauncher(Batch element, List<String> virtualNodes, Machines machines) {
    this.element = element;
    this.virtualNodes = virtualNodes;
    this.machines = machines;
  }

  @Override
  public List<String> problems() {
    var problems = new ArrayList<>(JavaCommand.classPathProblems(element.jvm()));
    problems.addAll(BatchOptions.problems(element));
    if (element.via().isPresent()) {
      try {
        machines.describe(element.via().get());
      } catch (IOException e) {
        problems.add(
            new Problem(element.place(), e.getMessage(), "see the ssh configuration").toString());
      }
    }
    return problems;
  }

  @Override
  public List<PlannedNode> nodes() {
    return nodes(0, element);
  }

  /** One more job, of whole machines. */
  @Override
  public List<PlannedNode> more(int planned, int count) {
    var each = element.jvmsPerNode();
    var asked = element.withNodes((count + each - 1) / each);
    bundle(planned, asked);
    return nodes(planned, asked);
  }

  private List<PlannedNode> nodes(int planned, Batch asked) {
    var command = plannedCommand();
    return IntStream.rangeClosed(planned + 1, planned + asked.nodes() * asked.jvmsPerNode())
        .mapToObj(
            number ->
                new PlannedNode(
                    element.id() + "-" + number,
                    virtualNodes,
                    BatchSystems.name(element),
                    command,
                    element.jvm().environment(),
                    Optional.empty(),
                    element.place()))
        .toList();
  }

  private List<String> plannedCommand() {
    try {
      return element.via().isPresent()
          ? JavaCommand.of(element.jvm(), machines.run(), machines.staging().planned(element.jvm()))
          : JavaCommand.of(element.jvm(), machines.run());
    } catch (IOException e) {
      return List.of("java"); // one of the problems
    }
  }

  @Override
  public String preparation() {
    var folder = "HOME/" + RunRecord.RUNS + "RUN-" + element.id(); // as the text explains
    try {
      return """
          the job of '%s' is submitted to %s by
            %s
          with this script (HOME is the home directory there, RUN a new name for each run):
          %s"""
          .formatted(
              element.id(),
              BatchSystems.name(element),
              ShellLine.of(BatchSystems.submission(element, folder)),
              JobScript.of(element, folder, plannedCommand()).indent(2).stripTrailing());
    } catch (DrmaaException e) {
      throw new IllegalStateException(e); // none of our templates is wrong
    }
  }

  /** Returns the process of a node; its job is submitted when all nodes have their settings. */
  @Override
  public Process start(PlannedNode node) {
    var index = Integer.parseInt(node.name().substring(element.id().length() + 1)) - 1;
    bundle(0, element);
    synchronized (this) {
      var its = bundles.floorEntry(index);
      return its.getValue().node(index - its.getKey());
    }
  }

  private synchronized void bundle(int first, Batch asked) {
    if (!bundles.containsKey(first)) {
      var name = machines.run().id() + "-" + element.id() + (first == 0 ? "" : "." + first);
      var bundle = new Bundle(asked, name, this);
      bundles.put(first, bundle);
      machines.batchSystems().add(bundle);
    }
  }

  // What the bundle needs

  @Override
  public RunRecord run() {
    return machines.run();
  }

  @Override
  public Machine machine() throws IOException {
    return machines.of(element.via());
  }

  @Override
  public JobWatch watch(Machine machine) throws IOException {
    return machines.batchSystems().of(element, machine);
  }

  @Override
  public List<String> command(Machine machine) throws IOException {
    return element.via().isPresent()
        ? JavaCommand.of(
            element.jvm(), machines.run(), machines.staging().on(machine, element.jvm()))
        : JavaCommand.of(element.jvm(), machines.run());
  }
}
