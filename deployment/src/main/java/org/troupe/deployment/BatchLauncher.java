package org.troupe.deployment;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.descriptors.Batch;

/** Starts JVMs through a batch system: one job for all of an element. */
final class BatchLauncher implements Launcher {

  private final Batch element;
  private final List<String> virtualNodes;
  private final Bundle bundle;

  BatchLauncher(Batch element, List<String> virtualNodes, Bundle.Site site) {
    this.element = element;
    this.virtualNodes = virtualNodes;
    bundle = new Bundle(element, site);
  }

  @Override
  public List<String> problems() {
    return BatchOptions.problems(element);
  }

  @Override
  public List<PlannedNode> nodes() {
    var command = command(element);
    return IntStream.rangeClosed(1, element.nodes() * element.jvmsPerNode())
        .mapToObj(
            number ->
                new PlannedNode(
                    element.id() + "-" + number,
                    virtualNodes,
                    BatchSystems.name(element),
                    command,
                    element.jvm().environment(),
                    element.workingDirectory().map(java.nio.file.Path::of),
                    element.place()))
        .toList();
  }

  /** Returns the command that starts a JVM where the class path is as here. */
  static List<String> command(Batch element) {
    return JavaCommand.of(element.jvm());
  }

  /** Returns the process of a node; its job is submitted when all nodes have their settings. */
  @Override
  public Process start(PlannedNode node) throws IOException {
    var number = node.name().substring(element.id().length() + 1);
    return bundle.node(Integer.parseInt(number) - 1);
  }
}
