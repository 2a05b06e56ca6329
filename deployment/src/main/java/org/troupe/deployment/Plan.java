package org.troupe.deployment;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.deployment.launch.Launcher;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.staging.ProgramFiles;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.Mapping;

/**
 * The nodes that a descriptor would start, with their commands. Making a plan starts nothing.
 * Immutable.
 */
public final class Plan {

  private final List<Infrastructure> elements = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<String> preparations = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /** A node, and the launcher that can start it. */
  record Step(PlannedNode node, Launcher launcher) {

    StartedProcess start() throws IOException {
      return launcher.start(node);
    }
  }

  private Plan(Descriptor descriptor, MachineRegistry machines) {
    for (var element : descriptor.infrastructure()) {
      var virtualNodes = virtualNodes(descriptor, element);
      if (!virtualNodes.isEmpty()) {
        var launcher = Launcher.of(element, virtualNodes, machines);
        elements.add(element);
        problems.addAll(launcher.problems());
        launcher.nodes().forEach(node -> steps.add(new Step(node, launcher)));
        preparations.add(launcher.preparation());
      }
    }
  }

  /** Plans the nodes that this program would start. */
  public static Plan of(Descriptor descriptor) {
    return of(descriptor, new MachineRegistry(ProgramFiles.application(Plan.class)));
  }

  static Plan of(Descriptor descriptor, MachineRegistry machines) {
    return new Plan(descriptor, machines);
  }

  /** An element that several virtual nodes are mapped to is started once, for all of them. */
  private static List<String> virtualNodes(Descriptor descriptor, Infrastructure element) {
    return descriptor.mapping().stream()
        .filter(map -> map.to().equals(element.id()))
        .map(Mapping::virtualNode)
        .distinct()
        .toList();
  }

  /** Returns the nodes, in the order of the descriptor. */
  public List<PlannedNode> nodes() {
    return steps.stream().map(Step::node).toList();
  }

  /**
   * Returns the problems that are visible before anything is started: missing files and folders.
   */
  public List<String> problems() {
    return problems.stream().distinct().toList();
  }

  /** Returns the infrastructure elements that nodes come from. */
  List<Infrastructure> elements() {
    return List.copyOf(elements);
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  /**
   * Returns one line per node and one with its command, then the scripts and submissions of jobs.
   */
  @Override
  public String toString() {
    return Stream.concat(
            steps.stream().map(step -> text(step.node())),
            preparations.stream().filter(each -> !each.isEmpty()))
        .collect(joining("\n"));
  }

  private static String text(PlannedNode node) {
    return new StringBuilder(node.name())
        .append(" on ")
        .append(node.host())
        .append(" for ")
        .append(String.join(", ", node.virtualNodes()))
        .append(" (")
        .append(node.place())
        .append(")\n  ")
        .append(node.shellCommand())
        .toString();
  }
}
